import { documentFileName } from '../../../domain/document/invoice-document.ts';
import { quoteFileName, type QuoteDocument } from '../../../domain/quote/quote-document.ts';
import type { InvoiceKind } from '../../../domain/invoice/invoice.status.ts';

/** An invoice as the names of its files need it; of a draft without a number. */
export interface NamedInvoice {
  readonly kind: InvoiceKind;
  readonly number: number | null;
  readonly uuid: string;
  readonly year: string;
}

/** The ending of each kind of file of a document; JSON is the text that was issued. */
const ENDINGS = { PDF: 'pdf', EHF: 'xml', TEXT: 'json' } as const;
export type ArchivedFormat = keyof typeof ENDINGS;

export const WORKBOOK_PATH = 'regneark/faktur.xlsx';

/** The path of an issued document in the archive. @param reminder which reminder of the invoice, from 1; null of others */
export function documentPath(
  { kind, number, year }: NamedInvoice,
  reminder: number | null,
  format: ArchivedFormat,
): string {
  const ending = ENDINGS[format];
  return reminder === null
    ? `dokumenter/${year}/${stemOf(kind, number)}.${ending}`
    : `purringer/${year}/Purring-${number}-${reminder}.${ending}`;
}

/** The folder of the files that are sent along with an invoice. */
export function attachmentFolder({ kind, number, uuid, year }: NamedInvoice): string {
  return number === null ? draftFolder(uuid) : `vedlegg/${year}/${stemOf(kind, number)}`;
}

/** The folder of the files of a draft. */
export function draftFolder(uuid: string): string {
  return `vedlegg/utkast/${uuid}`;
}

/** The path of a quote or an order confirmation. */
export function quotePath(document: QuoteDocument): string {
  return `tilbud/${yearOf(document)}/${quoteFileName(document)}`;
}

/** The folder of the files that are sent along with a quote. */
export function quoteFolder(document: QuoteDocument): string {
  return `vedlegg/${yearOf(document)}/${quoteFileName(document).slice(0, -'.pdf'.length)}`;
}

const yearOf = ({ issueDate }: QuoteDocument): string => issueDate.slice(0, 4);

export function logoPath(sha256: string): string {
  return `logo/${sha256}.png`;
}

export const DATA_FOLDER = 'data/';

export function dataPath(table: string): string {
  return `${DATA_FOLDER}${table}.jsonl`;
}

/** The name without its ending. */
function stemOf(kind: InvoiceKind, invoiceNumber: number | null): string {
  return documentFileName({ kind, invoiceNumber }, 'pdf').slice(0, -'.pdf'.length);
}
