import { sql } from 'kysely';

import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { ReminderDocument } from '../../domain/document/reminder-document.ts';
import type { InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { DocumentHome } from '../platform/db/delivery-tables.ts';
import { readReminder, readText, reminderVersionOf, writeReminder } from './document-text.ts';

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

/** The document issued as this invoice or credit note; null for a draft. */
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

/** A reminder as it was made, with what is kept of its bytes. */
export interface MadeReminder {
  readonly id: number;
  readonly companyId: number;
  readonly document: ReminderDocument;
  /** Its PDF; none before it is first printed. */
  readonly files: readonly KeptFile[];
}

/** Adds a reminder of an invoice and returns the document's id. */
export async function insertReminder(
  trx: Trx,
  companyId: number,
  { invoiceId, document }: { readonly invoiceId: number; readonly document: ReminderDocument },
): Promise<number> {
  const version = reminderVersionOf(document);
  const { id } = await trx
    .insertInto('document')
    .values({
      companyId,
      invoiceId,
      kind: 'REMINDER',
      version,
      content: writeReminder(document, version),
      logo: document.logo === null ? null : Buffer.from(document.logo, 'hex'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The reminder that a document is. */
export async function findReminder(
  db: Db,
  companyId: number,
  id: number,
): Promise<MadeReminder | null> {
  const row = await db
    .selectFrom('document')
    .leftJoin('documentFile as file', (join) =>
      join
        .onRef('file.companyId', '=', 'document.companyId')
        .onRef('file.documentId', '=', 'document.id')
        .on('format', '=', 'PDF'),
    )
    .select(['version', 'document.content as text', 'sha256', 'file.content as pdf'])
    .where('document.companyId', '=', companyId)
    .where('document.id', '=', id)
    .where('kind', '=', 'REMINDER')
    .executeTakeFirst();
  if (!row) return null;
  const { text, version, sha256, pdf } = row;
  const files = sha256 === null ? [] : [{ format: 'PDF', sha256, content: pdf } as const];
  return { id, companyId, document: readReminder(text, version), files };
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

/** The kept files of these documents, and whether their bytes match their SHA-256. */
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
