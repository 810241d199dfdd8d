import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { DocumentHome } from '../platform/db/columns.ts';

// Where the bytes of documents' files and of attachments are: in the database, or in the object store.

/** The tables whose rows are one file each. */
const TABLES = {
  ATTACHMENT: sql.table('attachment'),
  QUOTE: sql.table('quote_document'),
  QUOTE_ATTACHMENT: sql.table('quote_attachment'),
};

export interface FileName {
  readonly companyId: number;
  /** The id of the document, or of the attachment itself. */
  readonly id: number;
  /** QUOTE is the PDF of a quote or an order confirmation. */
  readonly format: 'PDF' | 'EHF' | keyof typeof TABLES;
}

export interface FileToMove extends FileName {
  readonly sha256: Uint8Array;
}

/**
 * The next files of all companies in this home, in the order of their keys. Those of drafts stay in the database; the
 * draft of a quote's further revision has files of the sent one, which may be in the object store.
 */
export async function findToMove(
  db: Db,
  home: DocumentHome,
  { after, most }: { readonly after: FileName | null; readonly most: number },
): Promise<FileToMove[]> {
  const { companyId = 0, id = 0, format = '' } = after ?? {};
  const { rows } = await sql<FileToMove>`
    SELECT * FROM (
      SELECT company_id, document_id AS id, format, sha256 FROM document_file WHERE home = ${home}
      UNION ALL
      SELECT file.company_id, file.id, 'ATTACHMENT', file.sha256
      FROM attachment file
      JOIN document ON document.company_id = file.company_id AND document.invoice_id = file.invoice_id
        AND document.kind = 'INVOICE'
      WHERE file.home = ${home}
      UNION ALL
      SELECT company_id, id, 'QUOTE', sha256 FROM quote_document WHERE home = ${home}
      UNION ALL
      SELECT file.company_id, file.id, 'QUOTE_ATTACHMENT', file.sha256
      FROM quote_attachment file
      LEFT JOIN quote_document document ON document.company_id = file.company_id
        AND document.quote_id = file.quote_id AND document.revision = file.revision AND document.kind = 'QUOTE'
      WHERE file.home = ${home} AND (document.id IS NOT NULL OR file.home = 'S3')
    ) file
    WHERE (company_id, id, format) > (${companyId}::bigint, ${id}::bigint, ${format}::text)
    ORDER BY company_id, id, format
    LIMIT ${most}`.execute(db);
  return rows;
}

/** The row of a file. */
function rowOf({ companyId, id, format }: FileName) {
  return format === 'PDF' || format === 'EHF'
    ? {
        table: sql.table('document_file'),
        isIt: sql`company_id = ${companyId} AND document_id = ${id} AND format = ${format}`,
      }
    : { table: TABLES[format], isIt: sql`company_id = ${companyId} AND id = ${id}` };
}

/** The bytes of a file in the database; null when it has been moved. */
export async function readContent(db: Db, file: FileName): Promise<Uint8Array | null> {
  const { table, isIt } = rowOf(file);
  const { rows } = await sql<{ content: Uint8Array | null }>`
    SELECT content FROM ${table} WHERE ${isIt}`.execute(db);
  return rows[0]?.content ?? null;
}

/** Moves a file's row: to the database with these bytes, or to the object store with null. A moved file stays as it is. */
export async function setHome(db: Db, file: FileName, content: Uint8Array | null): Promise<void> {
  const { table, isIt } = rowOf(file);
  const [from, to] = content === null ? DEPARTS : ARRIVES;
  await sql`UPDATE ${table} SET home = ${to}, content = ${content}::bytea WHERE ${isIt} AND home = ${from}`.execute(
    db,
  );
}

const DEPARTS = ['DATABASE', 'S3'] as const;
const ARRIVES = ['S3', 'DATABASE'] as const;

/** Counts the files of all companies by home. */
export async function countFiles(
  db: Db,
): Promise<{ readonly home: DocumentHome; readonly files: number }[]> {
  const { rows } = await sql<{ home: DocumentHome; files: number }>`
    SELECT home, count(*)::integer AS files FROM (
      SELECT home FROM document_file
      UNION ALL SELECT home FROM attachment
      UNION ALL SELECT home FROM quote_document WHERE home IS NOT NULL
      UNION ALL SELECT home FROM quote_attachment
    ) file
    GROUP BY home ORDER BY home`.execute(db);
  return rows;
}
