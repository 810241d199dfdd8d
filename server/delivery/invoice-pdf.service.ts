import type { InvoiceDocument } from '../../domain/invoice/invoice-document.ts';
import type { Actor, Context } from '../context.ts';
import { sha256 } from '../crypto.ts';
import { AppError } from '../errors.ts';
import { findDocument, type InvoiceWithDocument } from '../invoice/invoice-document.service.ts';
import type { PdfInput } from '../pdf/invoice-page.ts';
import { PdfNotPrintable, type Stamp } from '../pdf/renderer.ts';
import { TooManyTasks, type Caller } from '../pdf/worker-pool.ts';
import { tryEhf } from './delivery-documents.service.ts';
import { findSentDocuments } from './sent-document.repository.ts';

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
 * The PDF of an invoice: the very bytes that were mailed once it was, and otherwise as it stands.
 *
 * @param signal aborted when nobody waits for it any more
 * @throws AppError not_found, profile_incomplete for a draft, too_many_pdfs, pdf_not_printable
 */
export async function findPdf(
  context: Context,
  actor: Actor,
  uuid: string,
  signal: AbortSignal,
): Promise<ShownPdf> {
  const { row, document } = await findDocument(context.db, actor.companyId, uuid);
  const sent = await findSentDocuments(context.db, actor.companyId, [row.id]);
  const content =
    sent.find(({ format }) => format === 'PDF')?.content ??
    (await preview(
      context,
      { document, stamp: stampOf(row), xml: row.status === 'DRAFT' ? null : tryEhf(document) },
      { owner: actor.companyId, signal },
    ));
  return { content, document, etag: `"${sha256(content).toString('hex')}"` };
}

async function preview(context: Context, input: PdfInput, caller: Caller): Promise<Uint8Array> {
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

function stampOf({ status, paidDate, noteNumber }: InvoiceWithDocument['row']): Stamp | null {
  if (status === 'DRAFT') return { kind: 'DRAFT' };
  if (paidDate !== null) return { kind: 'PAID', paidDate };
  if (noteNumber !== null) return { kind: 'CREDITED', creditNoteNumber: noteNumber };
  return null;
}
