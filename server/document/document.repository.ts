import { sql } from 'kysely';

import type { InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';

/** A document to be issued, with its place in the chain. */
export interface NewDocument {
  readonly kind: InvoiceKind;
  readonly invoiceId: number;
  readonly version: number;
  readonly content: string;
  /** The one that the text names, in hex. */
  readonly logo: string | null;
  readonly previousHash: Uint8Array | null;
  readonly hash: Uint8Array;
}

/** A document's text with its links in the chain. */
export interface ChainedRow {
  readonly id: number;
  readonly invoiceId: number;
  readonly version: number;
  readonly content: string;
  readonly logo: Uint8Array | null;
  readonly previousHash: Uint8Array | null;
  readonly hash: Uint8Array;
}

/** Adds documents in the order of their numbers, in one statement, as the check on the chain wants it. */
export async function insertDocuments(
  trx: Trx,
  companyId: number,
  documents: readonly NewDocument[],
): Promise<void> {
  await sql`
    INSERT INTO document (company_id, kind, invoice_id, version, content, logo, previous_hash, hash)
    SELECT ${companyId}::bigint, kind, invoice_id, version, content,
      decode(logo, 'hex'), decode(previous_hash, 'hex'), decode(hash, 'hex')
    FROM json_to_recordset(${JSON.stringify(documents.map(toRecord))}::json) AS given (
      kind text, invoice_id bigint, version smallint, content text, logo text,
      previous_hash text, hash text
    )`.execute(trx);
}

function toRecord(document: NewDocument) {
  const { kind, invoiceId, version, content, logo, previousHash, hash } = document;
  return {
    kind,
    invoice_id: invoiceId,
    version,
    content,
    logo,
    previous_hash: previousHash && hexOf(previousHash),
    hash: hexOf(hash),
  };
}

/** Which documents these invoices of these companies are. */
export async function findIds(
  db: Db,
  { companyIds, invoiceIds }: { companyIds: readonly number[]; invoiceIds: readonly number[] },
): Promise<Pick<ChainedRow, 'id' | 'invoiceId'>[]> {
  return db
    .selectFrom('document')
    .select(['id', 'invoiceId'])
    .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where('kind', 'in', ['INVOICE', 'CREDIT_NOTE'])
    .execute();
}

/** The texts that were issued as these invoices, with their links in the chain. */
export async function findChained(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<ChainedRow[]> {
  return db
    .selectFrom('document')
    .select(['id', 'invoiceId', 'version', 'content', 'logo', 'previousHash', 'hash'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where('kind', 'in', ['INVOICE', 'CREDIT_NOTE'])
    .$narrowType<{ hash: Uint8Array }>()
    .execute();
}
