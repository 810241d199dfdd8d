import { sql } from 'kysely';

import type { InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import type { Db, Trx } from '../db/database.ts';

/** A document to be issued, with its place in the chain. */
export interface NewDocument {
  readonly kind: InvoiceKind;
  readonly invoiceId: number;
  readonly version: number;
  readonly content: string;
  readonly previousHash: Uint8Array | null;
  readonly hash: Uint8Array;
}

/** A document as it was issued. */
export interface DocumentRow {
  readonly id: number;
  readonly invoiceId: number;
  readonly version: number;
  readonly content: string;
}

/** A document with its links in the chain. */
export interface ChainedRow extends DocumentRow {
  readonly previousHash: Uint8Array | null;
  readonly hash: Uint8Array;
}

/** Whether a file is the one that was kept. */
export interface FileCheck {
  readonly documentId: number;
  readonly format: 'PDF' | 'EHF';
  readonly isUnaltered: boolean;
}

/** Adds documents in the order of their numbers, in one statement, as the check on the chain wants it. */
export async function insertDocuments(
  trx: Trx,
  companyId: number,
  documents: readonly NewDocument[],
): Promise<void> {
  await sql`
    INSERT INTO document (company_id, kind, invoice_id, version, content, previous_hash, hash)
    SELECT ${companyId}::bigint, kind, invoice_id, version, content,
      decode(previous_hash, 'hex'), decode(hash, 'hex')
    FROM json_to_recordset(${JSON.stringify(documents.map(toRecord))}::json) AS given (
      kind text, invoice_id bigint, version smallint, content text, previous_hash text, hash text
    )`.execute(trx);
}

function toRecord({ kind, invoiceId, version, content, previousHash, hash }: NewDocument) {
  return {
    kind,
    invoice_id: invoiceId,
    version,
    content,
    previous_hash: previousHash && Buffer.from(previousHash).toString('hex'),
    hash: Buffer.from(hash).toString('hex'),
  };
}

/** The documents of these invoices. */
export async function findDocuments(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<DocumentRow[]> {
  return selectDocuments(db, companyId, invoiceIds).execute();
}

/** Which documents these invoices of these companies are. */
export async function findIds(
  db: Db,
  { companyIds, invoiceIds }: { companyIds: readonly number[]; invoiceIds: readonly number[] },
): Promise<Pick<DocumentRow, 'id' | 'invoiceId'>[]> {
  return db
    .selectFrom('document')
    .select(['id', 'invoiceId'])
    .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where('kind', 'in', ['INVOICE', 'CREDIT_NOTE'])
    .execute();
}

/** As `findDocuments`, with their links in the chain. */
export async function findChained(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<ChainedRow[]> {
  return selectDocuments(db, companyId, invoiceIds).select(['previousHash', 'hash']).execute();
}

function selectDocuments(db: Db, companyId: number, invoiceIds: readonly number[]) {
  return db
    .selectFrom('document')
    .select(['id', 'invoiceId', 'version', 'content'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where('kind', 'in', ['INVOICE', 'CREDIT_NOTE']);
}

/** What is kept of these documents, and whether its bytes are those that its SHA-256 is of. */
export async function checkFiles(
  db: Db,
  companyId: number,
  documentIds: readonly number[],
): Promise<FileCheck[]> {
  return db
    .selectFrom('documentFile')
    .select(['documentId', 'format', sql<boolean>`sha256(content) = sha256`.as('isUnaltered')])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`document_id = ANY(${[...documentIds]}::bigint[])`)
    .execute();
}
