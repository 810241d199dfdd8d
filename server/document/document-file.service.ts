import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { ReminderDocument } from '../../domain/document/reminder-document.ts';
import type { Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { EhfNotPossible } from '../platform/http/ehf-not-possible.ts';
import { renderEhf } from './ehf/ehf.ts';
import type { PdfInput } from './pdf/document-page.ts';
import { findLogo } from '../company/logo.service.ts';
import {
  findIssued,
  keepFiles,
  readFile,
  readFiles,
  type DocumentFile,
  type IssuedDocument,
  type KeptFile,
  type Stores,
} from './document-file.repository.ts';
import { findReminder, type MadeReminder } from './reminder-document.repository.ts';

/** An invoice or credit note with the bytes that are made from it. */
export interface InvoiceWithFiles {
  readonly document: InvoiceDocument;
  readonly files: readonly DocumentFile[];
  /** The PNG that the document names. */
  readonly logo: Uint8Array | null;
}

/** A reminder with its PDF, and the invoice that it reminds of. */
export interface ReminderWithFiles {
  readonly document: ReminderDocument;
  readonly files: readonly DocumentFile[];
  /** The PNG that the document names. */
  readonly logo: Uint8Array | null;
  readonly invoice: InvoiceWithFiles;
}

/** The document of a delivery, with its files. */
export type DocumentWithFiles = InvoiceWithFiles | ReminderWithFiles;

/** Whether a delivery brings a reminder. */
export function isReminder(contents: DocumentWithFiles): contents is ReminderWithFiles {
  return 'invoice' in contents;
}

type Printer = Stores & Pick<Context, 'pdf'>;

/** The document issued as an invoice or credit note, with its files; missing files are made. */
export async function findOriginal(
  printer: Printer,
  { companyId, invoiceId }: { readonly companyId: number; readonly invoiceId: number },
): Promise<InvoiceWithFiles> {
  const issued = await findIssued(printer.db, companyId, invoiceId);
  if (!issued) throw new Error(`Invoice ${invoiceId} has no document`);
  const { document } = issued;
  const printing = printingOf(printer, companyId, document);
  const kept = await completeFiles(printer, issued, printing);
  const files = await readFiles(printer, companyId, kept);
  return { document, files, logo: await printing.logo() };
}

/** As `findOriginal` a reminder, and its invoice. */
export async function findOriginalReminder(
  printer: Printer,
  {
    companyId,
    invoiceId,
    documentId,
  }: Readonly<Record<'companyId' | 'invoiceId' | 'documentId', number>>,
): Promise<ReminderWithFiles> {
  const reminder = await findReminder(printer.db, companyId, documentId);
  if (!reminder) throw new Error(`Document ${documentId} is no reminder`);
  const { document } = reminder;
  const printing = printingOf(printer, companyId, document);
  const files = [await printReminder(printer, reminder, printing)];
  const invoice = await findOriginal(printer, { companyId, invoiceId });
  return { document, files, logo: await printing.logo(), invoice };
}

function printingOf(
  { db, pdf }: Printer,
  companyId: number,
  document: Pick<InvoiceDocument, 'logo'>,
): Printing {
  return { render: async (input) => pdf.render(input), logo: logoOf(db, companyId, document) };
}

/** Finds the PNG that a document names, once; null where it names none. */
export function logoOf(
  db: Db,
  companyId: number,
  { logo }: Pick<InvoiceDocument, 'logo'>,
): () => Promise<Uint8Array | null> {
  if (logo === null) return async () => null;
  let found: Promise<Uint8Array | null> | undefined;
  return async () => (found ??= findLogo(db, companyId, logo));
}

/** The PDF of a reminder, which is kept from its first making on. */
export async function printReminder(
  stores: Stores,
  reminder: MadeReminder,
  { render, logo }: Printing,
): Promise<DocumentFile> {
  const { companyId, document, files } = reminder;
  let [pdf] = files;
  if (!pdf) {
    const content = await render({ document, stamp: null, logo: await logo() });
    [pdf] = await keepFiles(stores, reminder, [{ format: 'PDF', content }]);
  }
  if (!pdf) throw new Error(`Reminder ${reminder.id} was not printed`);
  return readFile(stores, companyId, pdf);
}

/**
 * The files of a registered document: those that were kept when it was first made, or new ones, which
 * are kept from now on, mailed or not. What was given to a customer stays the same, whatever becomes of
 * the template and the fonts. The EHF may be there before the PDF, which holds it; then the PDF is made
 * with that very EHF.
 */
export async function completeFiles(
  stores: Stores,
  issued: IssuedDocument,
  { render, logo }: Printing,
): Promise<readonly KeptFile[]> {
  const { companyId, document, files } = issued;
  if (files.some(({ format }) => format === 'PDF')) return files;
  const kept = await readEhf(stores, companyId, files);
  const xml = kept ?? tryEhf(document);
  const pdf: DocumentFile = {
    format: 'PDF',
    content: await render({ document, stamp: null, xml, logo: await logo() }),
  };
  const isNewEhf = kept === null && xml !== null;
  const added = await keepFiles(stores, issued, isNewEhf ? [pdf, ehfFile(xml)] : [pdf]);
  return [...added, ...files];
}

/** The input of a document's printing. */
interface Printing {
  readonly render: (input: PdfInput) => Promise<Uint8Array>;
  readonly logo: ReturnType<typeof logoOf>;
}

/** The EHF that was made of an invoice or credit note; null where none was. */
export async function findKeptEhf(
  stores: Stores,
  companyId: number,
  invoiceId: number,
): Promise<string | null> {
  const issued = await findIssued(stores.db, companyId, invoiceId);
  return issued && readEhf(stores, companyId, issued.files);
}

/** The EHF among what is kept; null when there is none. */
export async function readEhf(
  stores: Stores,
  companyId: number,
  files: readonly KeptFile[],
): Promise<string | null> {
  const ehf = files.find(({ format }) => format === 'EHF');
  return ehf ? ehfOf([await readFile(stores, companyId, ehf)]) : null;
}

/** The EHF among these files; null when there is none. */
function ehfOf(files: readonly DocumentFile[]): string | null {
  const ehf = files.find(({ format }) => format === 'EHF');
  return ehf ? Buffer.from(ehf.content).toString() : null;
}

/** An EHF as it is kept. */
export function ehfFile(xml: string): DocumentFile {
  return { format: 'EHF', content: Buffer.from(xml) };
}

/** The EHF, or null where EHF cannot express the invoice: then the mail goes without. */
function tryEhf(document: InvoiceDocument): string | null {
  try {
    return renderEhf(document);
  } catch (error) {
    if (error instanceof EhfNotPossible) return null;
    throw error;
  }
}
