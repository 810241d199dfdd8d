import { documentFileName } from '../../../domain/document/invoice-document.ts';
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

/** The path of a file that is sent along with an invoice. */
export function attachmentPath({ kind, number, uuid, year }: NamedInvoice, name: string): string {
  const folder = number === null ? `utkast/${uuid}` : `${year}/${stemOf(kind, number)}`;
  return `vedlegg/${folder}/${name}`;
}

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
