import { sql } from 'kysely';

import { sha256 } from '../crypto.ts';
import type { Db } from '../db/database.ts';

/** The bytes of a document as they were first made: mailed, or shown to its seller. */
export interface DocumentFile {
  readonly format: 'PDF' | 'EHF';
  readonly content: Uint8Array;
}

/** Files of one document. */
export interface FilesOfDocument {
  readonly companyId: number;
  readonly documentId: number;
  readonly files: readonly DocumentFile[];
}

/** What is kept of these documents: of each the PDF first, or nothing. */
export async function findKept(
  db: Db,
  companyId: number,
  documentIds: readonly number[],
): Promise<(DocumentFile & { readonly documentId: number })[]> {
  return db
    .selectFrom('documentFile')
    .select(['documentId', 'format', 'content'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`document_id = ANY(${[...documentIds]}::bigint[])`)
    .orderBy('documentId')
    .orderBy('format', 'desc')
    .execute();
}

/**
 * Keeps what was made first. What is kept already stays, so that it is sent and shown with the same
 * bytes ever after.
 *
 * @returns for each, whether all of it was kept: false when something was there already
 */
export async function keepFiles(db: Db, documents: readonly FilesOfDocument[]): Promise<boolean[]> {
  // In one order, so that two that keep the same documents never wait for each other.
  const ordered = documents.toSorted((one, other) => one.documentId - other.documentId);
  const rows = ordered.flatMap(({ companyId, documentId, files }) =>
    files.map(({ format, content }) => ({
      companyId,
      documentId,
      format,
      sha256: sha256(content),
      content,
    })),
  );
  const kept = await db
    .insertInto('documentFile')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['companyId', 'documentId', 'format']).doNothing())
    .returning('documentId')
    .execute();
  const keptOf = Map.groupBy(kept, (row) => row.documentId);
  return documents.map(({ documentId, files }) => keptOf.get(documentId)?.length === files.length);
}
