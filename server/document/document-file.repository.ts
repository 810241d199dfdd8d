import { sql } from 'kysely';

import { sha256 } from '../crypto.ts';
import type { Db } from '../db/database.ts';

type DocumentFormat = 'PDF' | 'EHF';

/** The bytes of a registered document as it was first made: mailed, or shown to its seller. */
export interface DocumentFile {
  readonly format: DocumentFormat;
  readonly content: Uint8Array;
}

/** All that is kept of one invoice. */
export interface KeptFiles {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly files: readonly DocumentFile[];
}

/** What is kept of these invoices: of each the PDF first, or nothing. */
export async function findKept(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<(DocumentFile & { readonly invoiceId: number })[]> {
  return db
    .selectFrom('sentDocument')
    .select(['invoiceId', 'format', 'content'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .orderBy('invoiceId')
    .orderBy('format', 'desc')
    .execute();
}

/**
 * Keeps what was made first. What is kept already stays, so that it is sent and shown with the same
 * bytes ever after.
 *
 * @returns for each, whether all of it was kept: false when something was there already
 */
export async function keepFiles(db: Db, documents: readonly KeptFiles[]): Promise<boolean[]> {
  // In one order, so that two that keep the same invoices never wait for each other.
  const ordered = documents.toSorted((one, other) => one.invoiceId - other.invoiceId);
  const rows = ordered.flatMap(({ companyId, invoiceId, files }) =>
    files.map(({ format, content }) => ({
      companyId,
      invoiceId,
      format,
      sha256: sha256(content),
      content,
    })),
  );
  const kept = await db
    .insertInto('sentDocument')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['invoiceId', 'format']).doNothing())
    .returning('invoiceId')
    .execute();
  const keptOf = Map.groupBy(kept, (row) => row.invoiceId);
  return documents.map(({ invoiceId, files }) => keptOf.get(invoiceId)?.length === files.length);
}
