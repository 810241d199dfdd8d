import type { InvoiceDocument } from '../../../domain/document/invoice-document.ts';
import type { Actor, Context } from '../../context.ts';
import { hexOf, sha256 } from '../../platform/crypto.ts';
import { AppError } from '../../errors.ts';
import type { PdfInput } from './document-page.ts';
import { PdfNotPrintable, type Stamp } from './renderer.ts';
import { TooManyTasks, type Caller } from '../../platform/pdf/worker-pool.ts';
import { findDocument, type ShownDocument } from '../document.service.ts';
import { completeFiles, logoOf, readEhf } from '../document-file.service.ts';
import { readFile } from '../document-file.repository.ts';

/** When it is worth trying again (seconds). */
const BUSY_PAUSE = 5;
const FAULT_PAUSE = 60;

/** A PDF to be shown. */
interface ShownPdf {
  readonly content: Uint8Array;
  readonly document: InvoiceDocument;
  readonly etag: string;
}

/**
 * The PDF of an invoice. The original of a registered one is kept from its first showing on. That is what
 * is shown, but for an invoice that was not mailed and is paid or cancelled: then a copy that is
 * stamped, made from the same frozen document, unless the original is asked for.
 *
 * @param signal aborted when nobody waits for it any more
 * @throws AppError not_found, profile_incomplete for a draft, too_many_pdfs, pdf_not_printable
 */
export async function findPdf(
  context: Context,
  actor: Actor,
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

/** Prints while somebody waits. @throws AppError too_many_pdfs, pdf_not_printable */
export async function preview(
  context: Context,
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

function stampOf({ status, paidDate, noteNumber }: ShownDocument['row']): Stamp | null {
  if (status === 'DRAFT') return { kind: 'DRAFT' };
  if (paidDate !== null) return { kind: 'PAID', paidDate };
  if (noteNumber !== null) return { kind: 'CREDITED', creditNoteNumber: noteNumber };
  return null;
}
