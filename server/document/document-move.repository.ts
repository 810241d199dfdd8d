import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { DocumentHome } from '../platform/db/delivery-tables.ts';

/** Which file it is. */
export interface FileName {
  readonly companyId: number;
  readonly documentId: number;
  readonly format: 'PDF' | 'EHF';
}

/** A file that lives where it is not to stay. */
export interface FileToMove extends FileName {
  readonly sha256: Uint8Array;
}

/** The next files of all companies that live there, in the order of their keys. */
export async function findToMove(
  db: Db,
  home: DocumentHome,
  { after, most }: { readonly after: FileName | null; readonly most: number },
): Promise<FileToMove[]> {
  const { companyId = 0, documentId = 0, format = '' } = after ?? {};
  return db
    .selectFrom('documentFile')
    .select(['companyId', 'documentId', 'format', 'sha256'])
    .where('home', '=', home)
    .where(
      sql<boolean>`(company_id, document_id, format)
        > (${companyId}::bigint, ${documentId}::bigint, ${format}::text)`,
    )
    .orderBy('companyId')
    .orderBy('documentId')
    .orderBy('format')
    .limit(most)
    .execute();
}

/** The bytes of a file that lives in the database; null when it no longer does. */
export async function readContent(db: Db, name: FileName): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('documentFile')
    .select('content')
    .where('companyId', '=', name.companyId)
    .where('documentId', '=', name.documentId)
    .where('format', '=', name.format)
    .executeTakeFirst();
  return row?.content ?? null;
}

/**
 * Says that a file lives elsewhere from now on: with its bytes in the database, with null outside of it.
 * A file that has moved already stays as it is.
 */
export async function setHome(db: Db, name: FileName, content: Uint8Array | null): Promise<void> {
  const [from, to] = content === null ? DEPARTS : ARRIVES;
  await db
    .updateTable('documentFile')
    .set({ home: to, content })
    .where('companyId', '=', name.companyId)
    .where('documentId', '=', name.documentId)
    .where('format', '=', name.format)
    .where('home', '=', from)
    .execute();
}

const DEPARTS = ['DATABASE', 'S3'] as const;
const ARRIVES = ['S3', 'DATABASE'] as const;

/** How many files of all companies live where. */
export async function countFiles(
  db: Db,
): Promise<{ readonly home: DocumentHome; readonly files: number }[]> {
  return db
    .selectFrom('documentFile')
    .select((file) => ['home', file.fn.countAll<number>().as('files')])
    .groupBy('home')
    .orderBy('home')
    .execute();
}
