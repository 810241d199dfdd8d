import { sql } from 'kysely';

import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { ReminderDocument } from '../../domain/document/reminder-document.ts';
import type { Config } from '../config.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { DocumentHome } from '../platform/db/columns.ts';
import type { Attachments } from './attachment.repository.ts';
import {
  hashText,
  readReminder,
  readText,
  reminderVersionOf,
  statesTreatments,
  toDocument,
  versionOf,
  writeReminder,
  writeText,
  type DocumentIssuer,
} from './document-text.ts';

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

/**
 * Issues the documents of invoices that have just got their numbers: freezes their texts and continues the company's
 * chain of hashes (DOC-1), in one statement, as the database's check of the chain requires. The caller holds the
 * issuer's lock.
 *
 * @param invoices in the order of their numbers, up to the company's last one
 * @param attachments the files that are sent along, by invoice id
 * @returns the last hash of the chain
 */
export async function issueDocuments(
  config: Pick<Config, 'features'>,
  trx: Trx,
  issuer: DocumentIssuer,
  invoices: readonly InvoiceRow[],
  attachments: Attachments,
): Promise<Uint8Array | null> {
  let lastHash = issuer.lastDocumentHash;
  const documents = invoices.map((invoice) => {
    const isTreated = statesTreatments(config, invoice);
    const document = toDocument(invoice, issuer, isTreated, attachments.get(invoice.id));
    const version = versionOf(document);
    const content = writeText(document, version);
    const previousHash = lastHash;
    lastHash = hashText(content, previousHash);
    return {
      kind: invoice.kind,
      invoice_id: invoice.id,
      version,
      content,
      logo: document.logo,
      previous_hash: previousHash && hexOf(previousHash),
      hash: hexOf(lastHash),
    };
  });
  if (documents.length === 0) return lastHash;
  await sql`
    INSERT INTO document (company_id, kind, invoice_id, version, content, logo, previous_hash, hash)
    SELECT ${issuer.companyId}::bigint, kind, invoice_id, version, content,
      decode(logo, 'hex'), decode(previous_hash, 'hex'), decode(hash, 'hex')
    FROM json_to_recordset(${JSON.stringify(documents)}::json) AS given (
      kind text, invoice_id bigint, version smallint, content text, logo text,
      previous_hash text, hash text
    )`.execute(trx);
  return lastHash;
}

/** The ids of the documents issued as these invoices and credit notes, by invoice id. */
export async function findDocumentIds(
  db: Db,
  invoices: readonly { readonly companyId: number; readonly invoiceId: number }[],
): Promise<Map<number, number>> {
  const companyIds = [...new Set(invoices.map(({ companyId }) => companyId))];
  const invoiceIds = invoices.map(({ invoiceId }) => invoiceId);
  const rows = await db
    .selectFrom('document')
    .select(['id', 'invoiceId'])
    .where(sql<boolean>`company_id = ANY(${companyIds}::bigint[])`)
    .where(sql<boolean>`invoice_id = ANY(${invoiceIds}::bigint[])`)
    .where('kind', 'in', ['INVOICE', 'CREDIT_NOTE'])
    .execute();
  return new Map(rows.map(({ id, invoiceId }) => [invoiceId, id]));
}

/** A document of a company, in the order of issue. */
export interface ListedDocument {
  readonly id: number;
  readonly invoiceId: number;
  readonly kind: 'INVOICE' | 'CREDIT_NOTE' | 'REMINDER';
  readonly isPrinted: boolean;
}

/** The company's documents with higher ids than this. */
export async function listDocuments(
  db: Db,
  companyId: number,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<ListedDocument[]> {
  const { rows } = await sql<ListedDocument>`
    SELECT id, invoice_id, kind, EXISTS (
      SELECT FROM document_file file
      WHERE file.company_id = ${companyId} AND file.document_id = document.id AND format = 'PDF'
    ) AS is_printed
    FROM document WHERE company_id = ${companyId} AND id > ${after}
    ORDER BY id LIMIT ${most}`.execute(db);
  return rows;
}

/** The issued texts of these invoices, with their links in the chain. */
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

/** The row of a stored file. */
export interface KeptFile {
  readonly format: 'PDF' | 'EHF';
  readonly sha256: Uint8Array;
  /** Null when it is in the object store. */
  readonly content: Uint8Array | null;
}

/** An issued document with its stored files. */
export interface IssuedDocument {
  readonly id: number;
  readonly companyId: number;
  readonly invoiceId: number;
  readonly document: InvoiceDocument;
  /** The PDF first; none before they are first made. */
  readonly files: readonly KeptFile[];
}

export interface FileCheck {
  readonly documentId: number;
  readonly format: 'PDF' | 'EHF' | 'ATTACHMENT';
  readonly sha256: Uint8Array;
  /** Null when its bytes are in the object store. */
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
  const document = readText(first.text, first.version);
  return { id: first.id, companyId, invoiceId, document, files };
}

/** An issued document without the bytes of its files. */
export interface IssuedText extends Pick<IssuedDocument, 'invoiceId' | 'document'> {
  /** Whether an EHF of it is stored. */
  readonly hasEhf: boolean;
}

/** The documents issued as these invoices and credit notes, in the order of issue. */
export async function findIssuedTexts(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<IssuedText[]> {
  const rows = await db
    .selectFrom('document')
    .select(['invoiceId', 'version', 'content'])
    .select(
      sql<boolean>`EXISTS (SELECT FROM document_file file WHERE file.company_id = ${companyId}
        AND file.document_id = document.id AND file.format = 'EHF')`.as('hasEhf'),
    )
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .where('kind', 'in', ['INVOICE', 'CREDIT_NOTE'])
    .orderBy('id')
    .execute();
  return rows.map(({ invoiceId, version, content, hasEhf }) => ({
    invoiceId,
    document: readText(content, version),
    hasEhf,
  }));
}

/** A reminder with its stored files. */
export interface MadeReminder {
  readonly id: number;
  readonly companyId: number;
  readonly document: ReminderDocument;
  /** Its PDF; none before it is first printed. */
  readonly files: readonly KeptFile[];
}

/** Adds a reminder of an invoice and returns the document's id. */
export async function issueReminder(
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

/** The reminder with this document id. */
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

/** Adds files of a document, and returns the stored ones of these formats. Existing files stay unchanged. */
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

/** The stored files and attachments of these documents, and whether their bytes match their SHA-256. */
export async function checkFiles(
  db: Db,
  companyId: number,
  documentIds: readonly number[],
): Promise<FileCheck[]> {
  const { rows } = await sql<FileCheck>`
    SELECT document_id, format, sha256, sha256(content) = sha256 AS is_unaltered
    FROM document_file
    WHERE company_id = ${companyId} AND document_id = ANY(${[...documentIds]}::bigint[])
    UNION ALL
    SELECT document.id, 'ATTACHMENT', file.sha256, sha256(file.content) = file.sha256
    FROM attachment file
    JOIN document ON document.company_id = file.company_id AND document.invoice_id = file.invoice_id
    WHERE file.company_id = ${companyId} AND document.id = ANY(${[...documentIds]}::bigint[])
      AND document.kind = 'INVOICE'`.execute(db);
  return rows;
}
