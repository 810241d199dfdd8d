import { sql } from 'kysely';

import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import { hexOf } from '../crypto.ts';
import type { Db, Trx } from '../db/database.ts';
import type { DocumentHome } from '../db/document-file-table.ts';
import { readText } from './document-text.ts';

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

/** The bytes of a document as they were first made: mailed, or shown to its seller. */
export interface DocumentFile {
  readonly format: 'PDF' | 'EHF';
  readonly content: Uint8Array;
}

/** A file of a document as its row has it. */
export interface KeptFile {
  readonly format: 'PDF' | 'EHF';
  readonly sha256: Uint8Array;
  /** Null where it lives outside of the database. */
  readonly content: Uint8Array | null;
}

/** A document as it was issued, with what is kept of its bytes. */
export interface IssuedDocument {
  readonly id: number;
  readonly companyId: number;
  readonly document: InvoiceDocument;
  /** The PDF first; none before they are first made. */
  readonly files: readonly KeptFile[];
}

/** Whether a file is the one that was kept. */
export interface FileCheck {
  readonly documentId: number;
  readonly format: 'PDF' | 'EHF';
  readonly sha256: Uint8Array;
  /** Null where its bytes live outside of the database, which cannot know. */
  readonly isUnaltered: boolean | null;
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

/** What was issued as this invoice or credit note; null for what is not registered. */
export async function findIssued(
  db: Db,
  companyId: number,
  invoiceId: number,
): Promise<IssuedDocument | null> {
  const rows = await db
    .selectFrom('document')
    .leftJoin('documentFile as file', (join) =>
      join
        .onRef('file.companyId', '=', 'document.companyId')
        .onRef('file.documentId', '=', 'document.id'),
    )
    .select(['document.id', 'version', 'document.content as text'])
    .select(['format', 'sha256', 'file.content'])
    .where('document.companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .where('kind', 'in', ['INVOICE', 'CREDIT_NOTE'])
    .orderBy('format', 'desc')
    .execute();
  const [first] = rows;
  if (!first) return null;
  const files = rows.flatMap(({ format, sha256, content }) =>
    format && sha256 ? { format, sha256, content } : [],
  );
  return { id: first.id, companyId, document: readText(first.text, first.version), files };
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

/**
 * Adds files of a document that were made first, and returns what is kept in these formats. What was
 * there already stays, so that it is sent and shown with the same bytes ever after.
 */
export async function insertFiles(
  db: Db,
  { companyId, id: documentId }: Pick<IssuedDocument, 'companyId' | 'id'>,
  files: readonly (KeptFile & { readonly home: DocumentHome })[],
): Promise<readonly KeptFile[]> {
  const added = await db
    .insertInto('documentFile')
    .values(files.map((file) => ({ companyId, documentId, ...file })))
    .onConflict((conflict) => conflict.columns(['companyId', 'documentId', 'format']).doNothing())
    .returning('format')
    .execute();
  if (added.length === files.length) return files;
  return db
    .selectFrom('documentFile')
    .select(['format', 'sha256', 'content'])
    .where('companyId', '=', companyId)
    .where('documentId', '=', documentId)
    .where(
      'format',
      'in',
      files.map(({ format }) => format),
    )
    .orderBy('format', 'desc')
    .execute();
}

/** What is kept of these documents, and whether its bytes are those that its SHA-256 is of. */
export async function checkFiles(
  db: Db,
  companyId: number,
  documentIds: readonly number[],
): Promise<FileCheck[]> {
  return db
    .selectFrom('documentFile')
    .select(['documentId', 'format', 'sha256'])
    .select(sql<boolean | null>`sha256(content) = sha256`.as('isUnaltered'))
    .where('companyId', '=', companyId)
    .where(sql<boolean>`document_id = ANY(${[...documentIds]}::bigint[])`)
    .execute();
}
