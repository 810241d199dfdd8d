import type { Attachment } from '../../domain/attachment/attachment.schema.ts';
import { documentFileName, type InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { ReminderDocument } from '../../domain/document/reminder-document.ts';
import { readAttachments } from './attachment.repository.ts';
import { findLogo } from '../company/logo.repository.ts';
import type { Context } from '../context.ts';
import { sha256 } from '../platform/crypto.ts';
import type { Db } from '../platform/db/database.ts';
import {
  findIssued,
  findReminder,
  insertFiles,
  listDocuments,
  type IssuedDocument,
  type KeptFile,
  type ListedDocument,
  type MadeReminder,
} from './document.repository.ts';
import { embedFiles, EhfNotPossible, renderEhf } from './ehf.ts';
import { keyOf, moveAttached, readBytes, type Stores } from './file-bytes.service.ts';
import type { PdfInput } from './pdf/document-printer.ts';

/** A file of a document, with the bytes of its first making. */
export interface DocumentFile {
  readonly format: 'PDF' | 'EHF';
  readonly content: Uint8Array;
}

/** Documents that are listed in one statement. */
const LISTED_AT_ONCE = 500;

/** An invoice or credit note with its files. */
export interface InvoiceWithFiles {
  readonly document: InvoiceDocument;
  readonly files: readonly DocumentFile[];
  /** The files that the document names. */
  readonly attachments: readonly AttachedFile[];
  /** The PNG that the document names. */
  readonly logo: Uint8Array | null;
}

/** A file that is sent along, with its bytes. */
interface AttachedFile extends Pick<Attachment, 'name' | 'mediaType'> {
  readonly content: Uint8Array;
}

/** A reminder with its PDF, and the invoice that it reminds of. */
export interface ReminderWithFiles {
  readonly document: ReminderDocument;
  readonly files: readonly DocumentFile[];
  /** The PNG that the document names. */
  readonly logo: Uint8Array | null;
  readonly invoice: InvoiceWithFiles;
}

export type DocumentWithFiles = InvoiceWithFiles | ReminderWithFiles;

/**
 * The EHF to send: the stored one and, where files are sent along, with these and the PDF embedded. The PDF contains the
 * stored one, so that cannot contain the PDF. Null when EHF cannot express the invoice.
 */
export function ehfToSend({ document, files, attachments }: InvoiceWithFiles): Uint8Array | null {
  const ehf = files.find(({ format }) => format === 'EHF');
  if (!ehf) return null;
  if (attachments.length === 0) return ehf.content;
  const xml = Buffer.from(ehf.content).toString();
  const pdfs = files
    .filter(({ format }) => format === 'PDF')
    .map(({ content }) => ({
      name: documentFileName(document, 'pdf'),
      mediaType: 'application/pdf',
      content,
    }));
  return Buffer.from(embedFiles(xml, [...pdfs, ...attachments]));
}

/** Whether a delivery contains a reminder. */
export function isReminder(contents: DocumentWithFiles): contents is ReminderWithFiles {
  return 'invoice' in contents;
}

/** The parts of the product that print and keep documents. */
export type Printer = Stores & Pick<Context, 'pdf'>;

/** The document issued as an invoice or credit note, with its files; missing files are made. */
export async function findOriginal(
  printer: Printer,
  { companyId, invoiceId }: { readonly companyId: number; readonly invoiceId: number },
): Promise<InvoiceWithFiles> {
  const issued = await findIssued(printer.db, companyId, invoiceId);
  if (!issued) throw new Error(`Invoice ${invoiceId} has no document`);
  return readWithFiles(printer, issued, printingOf(printer, companyId, issued.document));
}

/** A registered document with the bytes of its files; missing ones are made. */
export async function readWithFiles(
  stores: Stores,
  issued: IssuedDocument,
  printing: Printing,
): Promise<InvoiceWithFiles> {
  const { companyId, document } = issued;
  const kept = await completeFiles(stores, issued, printing);
  const files = await Promise.all(kept.map(async (file) => readFile(stores, companyId, file)));
  const attachments = await findAttached(stores, issued);
  return { document, files, attachments, logo: await printing.logo() };
}

type Attaching = Pick<IssuedDocument, 'companyId' | 'invoiceId' | 'document'>;

/** The files that are sent along with a registered invoice. */
async function findAttached(
  stores: Stores,
  { companyId, invoiceId, document }: Attaching,
): Promise<AttachedFile[]> {
  if (document.attachments === null) return [];
  const rows = await readAttachments(stores.db, companyId, invoiceId);
  return Promise.all(
    rows.map(async (row) => ({
      name: row.name,
      mediaType: row.mediaType,
      content: await readBytes(stores, companyId, row),
    })),
  );
}

/** Like `findOriginal`, for a reminder with its invoice. */
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

/** Reads the document's logo at the first call; null when it has none. */
export function logoOf(
  db: Db,
  companyId: number,
  { logo }: Pick<InvoiceDocument, 'logo'>,
): () => Promise<Uint8Array | null> {
  if (logo === null) return async () => null;
  let found: Promise<Uint8Array | null> | undefined;
  return async () => (found ??= findLogo(db, companyId, logo));
}

/**
 * Prints each document of a company that was never printed, reminders too, and stores its files (EXP-43). Yields the
 * documents in the order of issue, each when it has its files.
 * @throws PdfNotPrintable, ObjectStoreAway
 */
export async function* printMissing(
  printer: Printer,
  companyId: number,
): AsyncGenerator<ListedDocument> {
  for (let after = 0; ;) {
    const part = await listDocuments(printer.db, companyId, { after, most: LISTED_AT_ONCE });
    for (const listed of part) {
      if (!listed.isPrinted) await printListed(printer, companyId, listed);
      after = listed.id;
      yield listed;
    }
    if (part.length < LISTED_AT_ONCE) return;
  }
}

async function printListed(
  printer: Printer,
  companyId: number,
  { id, invoiceId, kind }: ListedDocument,
): Promise<void> {
  if (kind === 'REMINDER') {
    const reminder = await findReminder(printer.db, companyId, id);
    if (!reminder) throw new Error(`Document ${id} is no reminder`);
    await printReminder(printer, reminder, printingOf(printer, companyId, reminder.document));
    return;
  }
  const issued = await findIssued(printer.db, companyId, invoiceId);
  if (!issued) throw new Error(`Invoice ${invoiceId} has no document`);
  await completeFiles(printer, issued, printingOf(printer, companyId, issued.document));
}

/** The PDF of a reminder, which is stored when it is first made. */
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
 * The files of a registered document: the stored ones or, the first time, new ones, which are then stored. So a customer
 * gets the same file even after the template or the fonts have changed. The EHF may be stored before the PDF, which
 * contains it; the PDF is then made with that EHF.
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
  await moveAttached(stores, document, {
    companyId,
    format: 'ATTACHMENT',
    read: async () => readAttachments(stores.db, companyId, issued.invoiceId),
  });
  const isNewEhf = kept === null && xml !== null;
  const added = await keepFiles(stores, issued, isNewEhf ? [pdf, ehfFile(xml)] : [pdf]);
  return [...added, ...files];
}

/** The input of a document's printing. */
interface Printing {
  readonly render: (input: PdfInput) => Promise<Uint8Array>;
  readonly logo: ReturnType<typeof logoOf>;
}

/** The stored EHF of an invoice or credit note, or null. */
export async function findKeptEhf(
  stores: Stores,
  companyId: number,
  invoiceId: number,
): Promise<string | null> {
  const issued = await findIssued(stores.db, companyId, invoiceId);
  return issued && readEhf(stores, companyId, issued.files);
}

/** The EHF among the stored files, or null. */
export async function readEhf(
  stores: Stores,
  companyId: number,
  files: readonly KeptFile[],
): Promise<string | null> {
  const ehf = files.find(({ format }) => format === 'EHF');
  return ehf ? Buffer.from((await readFile(stores, companyId, ehf)).content).toString() : null;
}

/** An EHF as a file to store. */
export function ehfFile(xml: string): DocumentFile {
  return { format: 'EHF', content: Buffer.from(xml) };
}

/** The EHF; null when EHF cannot express the invoice, which is then sent without it. */
export function tryEhf(document: InvoiceDocument): string | null {
  try {
    return renderEhf(document);
  } catch (error) {
    if (error instanceof EhfNotPossible) return null;
    throw error;
  }
}

/**
 * Stores new files of a document, and returns the stored ones of these formats: those that another process has stored
 * meanwhile, or these. The object store gets its bytes before the row exists, so no row names a missing file.
 * @throws ObjectStoreAway, and then nothing is stored
 */
export async function keepFiles(
  { db, objectStore }: Stores,
  document: Pick<IssuedDocument, 'companyId' | 'id'>,
  files: readonly DocumentFile[],
): Promise<readonly KeptFile[]> {
  const made = files.map((file) => ({ ...file, sha256: sha256(file.content) }));
  if (!objectStore.takesNew) {
    return insertFiles(
      db,
      document,
      made.map((file) => ({ ...file, home: 'DATABASE' })),
    );
  }
  await Promise.all(
    made.map(async (file) => objectStore.put(keyOf(document.companyId, file.sha256), file.content)),
  );
  const kept = await insertFiles(
    db,
    document,
    made.map(({ format, sha256: hash }) => ({ format, sha256: hash, content: null, home: 'S3' })),
  );
  return kept.map((file) => made.find(({ sha256: hash }) => hash.equals(file.sha256)) ?? file);
}

/** Reads a file from its home. @throws ObjectStoreAway */
export async function readFile(
  stores: Pick<Stores, 'objectStore'>,
  companyId: number,
  file: KeptFile,
): Promise<DocumentFile> {
  return { format: file.format, content: await readBytes(stores, companyId, file) };
}
