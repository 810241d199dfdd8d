import type {
  DocumentAttachment,
  InvoiceDocument,
} from '../../domain/document/invoice-document.ts';
import type { ReminderDocument } from '../../domain/document/reminder-document.ts';
import type { VatTreatment } from '../../domain/vat-treatment.ts';
import { termsOf } from '../../domain/invoice/invoice.terms.ts';
import type { Config } from '../config.ts';
import type { Issuer } from '../company/profile.repository.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { sha256 } from '../platform/crypto.ts';
import {
  CURRENT_VERSION,
  DOCUMENT_VERSIONS,
  REMINDER_4,
  REMINDER_VERSIONS,
  type FieldNames,
} from './document-versions.ts';

type Seller = Pick<Issuer, 'seller' | 'bankAccountNumber' | 'logo'>;
/** The issuer of new documents, with the end of its chain. */
export type DocumentIssuer = Seller & Pick<Issuer, 'companyId' | 'lastDocumentHash'>;

/**
 * The document of an invoice.
 *
 * @param issuer the seller of a draft; a registered invoice has its own
 * @param isTreated whether lines state their VAT treatments, and not only rates; see `statesTreatments`
 * @param attachments the files that are sent along, or null
 */
export function toDocument(
  row: InvoiceRow,
  issuer: Seller,
  isTreated: boolean,
  attachments: readonly DocumentAttachment[] | null = null,
): InvoiceDocument {
  return {
    kind: row.kind,
    invoiceNumber: row.invoiceNumber,
    ...termsOf(row),
    kid: row.kid,
    kidModulus: row.kidModulus,
    bankAccountNumber: row.bankAccountNumber ?? issuer.bankAccountNumber,
    credits: creditsOf(row),
    seller: row.seller ?? issuer.seller,
    buyer: row.buyer,
    buyerVatNumber: row.buyerVatNumber,
    lines: row.lines.map((line) => ({
      quantity: line.quantity,
      unit: line.unit,
      description: line.description,
      netUnitAmount: line.netUnitAmount,
      vatRate: line.vatRate,
      vatTreatment: isTreated ? line.vatTreatment : null,
      productNumber: line.productNumber,
    })),
    vatSubtotals:
      row.vatSubtotals?.map((part) => ({
        ...part,
        vatTreatment: isTreated ? part.vatTreatment : null,
      })) ?? null,
    logo: issuer.logo,
    quoteNumber: row.sourceQuote?.quoteNumber ?? null,
    attachments,
  };
}

/**
 * Whether the document of an invoice states treatments (VAT-8): while `vat` is on, and for lines that were made with
 * it and are not what a rate alone means.
 */
export function statesTreatments(
  { features }: Pick<Config, 'features'>,
  { lines }: Pick<InvoiceRow, 'lines'>,
): boolean {
  return features.has('vat') || lines.some(({ vatTreatment }) => isSpecial(vatTreatment));
}

function isSpecial(treatment: VatTreatment): boolean {
  return treatment === 'EXPORT' || treatment === 'OUTSIDE' || treatment === 'REVERSE';
}

function creditsOf(row: InvoiceRow): InvoiceDocument['credits'] {
  if (row.originalNumber === null || row.originalIssueDate === null) return null;
  return {
    invoiceNumber: row.originalNumber,
    issueDate: row.originalIssueDate,
    extent: row.creditExtent,
  };
}

/**
 * The frozen text of a document: JSON without spaces and with the fields of every object in alphabetical order, so that
 * equal contents have equal texts. A version names its fields. A later field is in the text as soon as it has a value,
 * so nothing can be added to an old document unnoticed.
 *
 * @throws RangeError for an unknown version
 */
export function writeText(document: InvoiceDocument, version: number = CURRENT_VERSION): string {
  const fields = fieldsOfVersion(version);
  // The first version does not contain its number.
  return version === 1
    ? JSON.stringify(canonical(document, fields))
    : versioned(document, version, fields);
}

/** The text of an object with these fields, which begins with its version. */
function versioned(content: object, version: number, fields: FieldNames): string {
  return JSON.stringify([version, canonical(content, fields)]);
}

/**
 * The version for registering a document: the oldest one with all fields that have a value, so that processes of an
 * older release can read documents without new fields.
 */
export function versionOf(document: InvoiceDocument): number {
  return oldestNaming(document, DOCUMENT_VERSIONS) ?? CURRENT_VERSION;
}

/** The oldest of these versions with all fields that have a value. */
function oldestNaming(
  content: object,
  versions: Readonly<Record<number, FieldNames>>,
): number | undefined {
  const oldest = Object.entries(versions).find(([, fields]) => namesAll(content, fields));
  return oldest && Number(oldest[0]);
}

/** Whether all fields that are not named are empty. */
function namesAll(value: unknown, fields: FieldNames): boolean {
  if (Array.isArray(value)) return value.every((item) => namesAll(item, fields));
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([name, content]) =>
    Object.hasOwn(fields, name)
      ? namesAll(content, fieldsOf(fields, name))
      : (content ?? null) === null,
  );
}

/** The document of a text. Fields that its version lacks are null. @throws RangeError for an unknown version */
export function readText(text: string, version: number): InvoiceDocument {
  fieldsOfVersion(version);
  const parsed = JSON.parse(text) as unknown;
  const content = version === 1 ? parsed : (parsed as [number, unknown])[1];
  const whole = version === CURRENT_VERSION ? content : completed(content, fieldsOfVersion());
  return whole as InvoiceDocument;
}

function fieldsOfVersion(version: number = CURRENT_VERSION): FieldNames {
  const fields = DOCUMENT_VERSIONS[version];
  if (!fields) throw new RangeError(`There is no version ${version} of documents`);
  return fields;
}

function canonical(value: unknown, fields: FieldNames): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, fields));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, content]) => Object.hasOwn(fields, name) || (content ?? null) !== null)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, content]) => [name, canonical(content, fieldsOf(fields, name))]),
  );
}

/** The parsed text, with null for missing fields. */
function completed(value: unknown, fields: FieldNames): unknown {
  if (Array.isArray(value)) return value.map((item) => completed(item, fields));
  if (value === null || typeof value !== 'object') return value;
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(value, name));
  return Object.fromEntries([
    ...Object.entries(value).map(([name, content]) => [
      name,
      completed(content, fieldsOf(fields, name)),
    ]),
    ...unknown.map((name) => [name, null]),
  ]);
}

function fieldsOf(fields: FieldNames, name: string): FieldNames {
  const names = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof names === 'object' ? names : {};
}

/** The version for making a reminder: the oldest one with all fields that have a value. */
export function reminderVersionOf(document: ReminderDocument): number {
  return oldestNaming(document, REMINDER_VERSIONS) ?? 3;
}

/** The frozen text of a reminder; see `writeText`. */
export function writeReminder(
  document: ReminderDocument,
  version: number = reminderVersionOf(document),
): string {
  return versioned(document, version, reminderFields(version));
}

/** The reminder of a text. @throws RangeError for an unknown version */
export function readReminder(text: string, version: number): ReminderDocument {
  reminderFields(version);
  return completed((JSON.parse(text) as [number, unknown])[1], REMINDER_4) as ReminderDocument;
}

function reminderFields(version: number): FieldNames {
  const fields = REMINDER_VERSIONS[version];
  if (!fields) throw new RangeError(`There is no version ${version} of reminders`);
  return fields;
}

/**
 * The hash of a document: SHA-256 over the previous document's hash (nothing for the first) and the
 * document's text, so that changing any document later breaks the chain from there on.
 */
export function hashText(text: string, previous: Uint8Array | null): Buffer {
  const content = Buffer.from(text);
  return sha256(previous ? Buffer.concat([previous, content]) : content);
}
