import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { DocumentHome } from '../platform/db/columns.ts';

// Where the bytes of documents' files and of attachments are: in the database, or in the object store.

export interface FileName {
  readonly companyId: number;
  /** The id of the document, or of the attachment itself. */
  readonly id: number;
  readonly format: 'PDF' | 'EHF' | 'ATTACHMENT';
}

export interface FileToMove extends FileName {
  readonly sha256: Uint8Array;
}

/** The next files of all companies in this home, in the order of their keys. Those of drafts stay in the database. */
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
    ) file
    WHERE (company_id, id, format) > (${companyId}::bigint, ${id}::bigint, ${format}::text)
    ORDER BY company_id, id, format
    LIMIT ${most}`.execute(db);
  return rows;
}

/** The bytes of a file in the database; null when it has been moved. */
export async function readContent(
  db: Db,
  { companyId, id, format }: FileName,
): Promise<Uint8Array | null> {
  const row =
    format === 'ATTACHMENT'
      ? await db
          .selectFrom('attachment')
          .select('content')
          .where('companyId', '=', companyId)
          .where('id', '=', id)
          .executeTakeFirst()
      : await db
          .selectFrom('documentFile')
          .select('content')
          .where('companyId', '=', companyId)
          .where('documentId', '=', id)
          .where('format', '=', format)
          .executeTakeFirst();
  return row?.content ?? null;
}

/** Moves a file's row: to the database with these bytes, or to the object store with null. A moved file stays as it is. */
export async function setHome(
  db: Db,
  { companyId, id, format }: FileName,
  content: Uint8Array | null,
): Promise<void> {
  const [from, to] = content === null ? DEPARTS : ARRIVES;
  if (format === 'ATTACHMENT') {
    await db
      .updateTable('attachment')
      .set({ home: to, content })
      .where('companyId', '=', companyId)
      .where('id', '=', id)
      .where('home', '=', from)
      .execute();
    return;
  }
  await db
    .updateTable('documentFile')
    .set({ home: to, content })
    .where('companyId', '=', companyId)
    .where('documentId', '=', id)
    .where('format', '=', format)
    .where('home', '=', from)
    .execute();
}

const DEPARTS = ['DATABASE', 'S3'] as const;
const ARRIVES = ['S3', 'DATABASE'] as const;

/** Counts the files of all companies by home. */
export async function countFiles(
  db: Db,
): Promise<{ readonly home: DocumentHome; readonly files: number }[]> {
  const homes = db.selectFrom('documentFile').select('home');
  return db
    .selectFrom(homes.unionAll(db.selectFrom('attachment').select('home')).as('file'))
    .select((file) => ['home', file.fn.countAll<number>().as('files')])
    .groupBy('home')
    .orderBy('home')
    .execute();
}
