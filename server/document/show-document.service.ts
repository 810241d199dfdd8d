import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import {
  reminderFileName,
  type ReminderDocument,
} from '../../domain/document/reminder-document.ts';
import type { QuoteDocument } from '../../domain/quote/quote-document.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import { kidAgreementInForce } from '../company/profile.service.ts';
import { requireIssuer } from '../company/profile.repository.ts';
import { requireInvoice } from '../invoice/invoice.repository.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { buyerVatNumberOf, findBuyersVat } from '../invoice/vat-needs.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { hexOf, sha256 } from '../platform/crypto.ts';
import { TooManyTasks, type Caller } from '../platform/tasks/process-pool.ts';
import {
  completeFiles,
  ehfFile,
  ehfToSend,
  keepFiles,
  logoOf,
  printReminder,
  readEhf,
  readFile,
  readWithFiles,
} from './document-file.service.ts';
import { statesTreatments, toDocument } from './document-text.ts';
import { findIssued, findReminder, type IssuedDocument } from './document.repository.ts';
import { EhfNotPossible, renderEhf } from './ehf.ts';
import type { PdfInput } from './pdf/document-printer.ts';
import type { Stamp } from './pdf/page.ts';
import { PdfNotPrintable } from './pdf/renderer.ts';

/** Retry-After of refusals (seconds). */
const BUSY_PAUSE = 5;
const FAULT_PAUSE = 60;

/** An invoice with its issued document or, for a draft, the document that would be issued now. */
export interface ShownDocument {
  readonly row: InvoiceRow;
  /** Null for a draft. */
  readonly issued: IssuedDocument | null;
  readonly document: InvoiceDocument;
}

/** The document of an invoice. @throws AppError not_found, profile_incomplete for a draft */
export async function findDocument(
  { db, config }: Pick<Context, 'db' | 'config'>,
  companyId: number,
  name: NumberOrUuid,
): Promise<ShownDocument> {
  const row = await requireInvoice(db, companyId, name);
  if (row.status === 'DRAFT') {
    const issuer = await requireIssuer(db, companyId);
    const agreement = kidAgreementInForce(config, issuer);
    const bankAccountNumber = agreement?.account ?? issuer.bankAccountNumber;
    const kidModulus = agreement?.modulus ?? null;
    return {
      row,
      issued: null,
      document: {
        ...toDocument(row, { ...issuer, bankAccountNumber }, statesTreatments(config, row)),
        kidModulus,
        buyerVatNumber: buyerVatNumberOf(row, await findBuyersVat(db, companyId, [row])),
      },
    };
  }
  const issued = await findIssued(db, companyId, row.id);
  if (!issued) throw new Error(`Invoice ${row.id} was registered without a document`);
  return { row, issued, document: issued.document };
}

interface ShownPdf {
  readonly content: Uint8Array;
  readonly document: InvoiceDocument;
  readonly etag: string;
}

/**
 * The PDF of an invoice. The original of a registered one is stored when it is first shown. An invoice that was not
 * mailed and is paid or cancelled is shown as a stamped copy of the same document, unless the original is requested.
 *
 * @param signal aborted when the caller no longer waits
 * @throws AppError not_found, profile_incomplete for a draft, too_many_pdfs, pdf_not_printable
 */
export async function findPdf(
  context: Context,
  actor: Pick<Actor, 'companyId'>,
  { uuid, original }: { readonly uuid: string; readonly original: boolean },
  signal: AbortSignal,
): Promise<ShownPdf> {
  const { companyId } = actor;
  const { row, issued, document } = await findDocument(context, companyId, uuid);
  const render = async (input: PdfInput) => preview(context, input, { owner: companyId, signal });
  const logo = logoOf(context.db, companyId, document);
  const stamp = stampOf(row);
  const kept = issued ? await completeFiles(context, issued, { render, logo }) : [];
  const isOriginal = stamp === null || original || row.deliveryStatus === 'SENT';
  const pdf = kept.find(({ format }) => format === 'PDF');
  const print = async () => {
    const xml = await readEhf(context, companyId, kept);
    return render({ document, stamp, xml, logo: await logo() });
  };
  const content =
    pdf && isOriginal ? (await readFile(context, companyId, pdf)).content : await print();
  return { content, document, etag: `"${hexOf(sha256(content))}"` };
}

/** Prints for a waiting caller. @throws AppError too_many_pdfs, pdf_not_printable */
export async function preview(
  context: Pick<Context, 'pdf'>,
  input: PdfInput,
  caller: Caller,
): Promise<Uint8Array> {
  try {
    return await context.pdf.preview(input, caller);
  } catch (error) {
    if (error instanceof TooManyTasks) {
      throw new AppError('too_many_pdfs', { retryAfter: BUSY_PAUSE, cause: error });
    }
    if (error instanceof PdfNotPrintable) {
      throw new AppError('pdf_not_printable', { retryAfter: FAULT_PAUSE, cause: error });
    }
    throw error;
  }
}

function stampOf({ status, paidDate, paidAmount, notes }: ShownDocument['row']): Stamp | null {
  if (status === 'DRAFT') return { kind: 'DRAFT' };
  if (paidDate !== null) return { kind: 'PAID', paidDate, amount: paidAmount };
  const last = notes?.at(-1);
  if (status !== 'CANCELLED' || !last) return null;
  return { kind: 'CREDITED', creditNoteNumber: last.invoiceNumber };
}

interface ShownEhf {
  readonly xml: string;
  readonly document: InvoiceDocument;
}

/**
 * The invoice as EHF Billing 3.0, with the bytes of its first making.
 *
 * @param signal aborted when the caller no longer waits
 * @throws AppError not_found, draft_has_no_ehf, ehf_not_possible; with attachments also as `findPdf`
 */
export async function findEhf(
  context: Context,
  actor: Pick<Actor, 'companyId'>,
  name: NumberOrUuid,
  signal: AbortSignal,
): Promise<ShownEhf> {
  const { issued, document } = await findDocument(context, actor.companyId, name);
  if (!issued) throw new AppError('draft_has_no_ehf');
  const { companyId } = issued;
  if (document.attachments !== null) {
    makeEhf(document);
    return { document, xml: await findWholeEhf(context, issued, signal) };
  }
  const kept = await readEhf(context, companyId, issued.files);
  if (kept !== null) return { xml: kept, document };
  const xml = makeEhf(document);
  // Without the PDF, so that callers do not wait for a printer. The PDF will contain this EHF.
  const files = await keepFiles(context, issued, [ehfFile(xml)]);
  return { xml: (await readEhf(context, companyId, files)) ?? xml, document };
}

/** The EHF as it is sent, with the PDF and the files that are sent along. @throws AppError too_many_pdfs, pdf_not_printable */
async function findWholeEhf(
  context: Context,
  issued: IssuedDocument,
  signal: AbortSignal,
): Promise<string> {
  const { companyId, document } = issued;
  const render = async (input: PdfInput) => preview(context, input, { owner: companyId, signal });
  const logo = logoOf(context.db, companyId, document);
  const xml = ehfToSend(await readWithFiles(context, issued, { render, logo }));
  if (!xml) throw new Error(`Invoice ${issued.invoiceId} has no EHF`);
  return Buffer.from(xml).toString();
}

function makeEhf(document: InvoiceDocument): string {
  try {
    return renderEhf(document);
  } catch (error) {
    if (!(error instanceof EhfNotPossible)) throw error;
    throw new AppError('ehf_not_possible', { subject: error.code, cause: error });
  }
}

/** The PDF of a reminder, with the bytes of its first printing. */
export async function findReminderPdf(
  context: Context,
  { companyId, documentId }: { readonly companyId: number; readonly documentId: number },
  signal: AbortSignal,
): Promise<{ content: Uint8Array; fileName: string; etag: string }> {
  const reminder = await findReminder(context.db, companyId, documentId);
  if (!reminder) throw new AppError('not_found');
  const logo = logoOf(context.db, companyId, reminder.document);
  const render = async (input: PdfInput) => preview(context, input, { owner: companyId, signal });
  const { content } = await printReminder(context, reminder, { render, logo });
  const fileName = reminderFileName(reminder.document);
  return { content, fileName, etag: `"${hexOf(sha256(content))}"` };
}

/** The PDF of what does not exist yet, marked as a draft. @throws AppError too_many_pdfs, pdf_not_printable */
export async function drawDraft(
  context: Context,
  document: InvoiceDocument | ReminderDocument,
  caller: Caller,
): Promise<Uint8Array> {
  const logo = await logoOf(context.db, caller.owner, document)();
  const input = { document, stamp: { kind: 'DRAFT' }, xml: null, logo } as PdfInput;
  return preview(context, input, caller);
}

/** The PDF of a quote that was not sent, marked as a draft. @throws AppError too_many_pdfs, pdf_not_printable */
export async function drawQuote(
  context: Context,
  document: QuoteDocument,
  caller: Caller,
): Promise<Uint8Array> {
  const logo = await logoOf(context.db, caller.owner, document)();
  return preview(context, { document, stamp: { kind: 'DRAFT' }, logo }, caller);
}
