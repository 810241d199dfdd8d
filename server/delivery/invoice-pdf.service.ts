import type { InvoiceDocument } from '../../domain/invoice/invoice-document.ts';
import type { Actor, Context } from '../context.ts';
import { sha256 } from '../crypto.ts';
import { findDocument, type InvoiceWithDocument } from '../invoice/invoice-document.service.ts';
import type { Stamp } from '../pdf/renderer.ts';
import { tryEhf } from './delivery-documents.service.ts';
import { findSentDocuments } from './sent-document.repository.ts';

/** A PDF to be shown. */
interface ShownPdf {
  readonly content: Uint8Array;
  readonly document: InvoiceDocument;
  readonly etag: string;
}

/**
 * The PDF of an invoice: the very bytes that were mailed once it was, and otherwise as it stands.
 * @throws AppError not_found, profile_incomplete for a draft
 */
export async function findPdf(context: Context, actor: Actor, uuid: string): Promise<ShownPdf> {
  const { row, document } = await findDocument(context.db, actor.companyId, uuid);
  const sent = await findSentDocuments(context.db, actor.companyId, [row.id]);
  const content =
    sent.find(({ format }) => format === 'PDF')?.content ??
    (await context.pdf.render({
      document,
      stamp: stampOf(row),
      xml: row.status === 'DRAFT' ? null : tryEhf(document),
    }));
  return { content, document, etag: `"${sha256(content).toString('hex')}"` };
}

function stampOf({ status, paidDate, noteNumber }: InvoiceWithDocument['row']): Stamp | null {
  if (status === 'DRAFT') return { kind: 'DRAFT' };
  if (paidDate !== null) return { kind: 'PAID', paidDate };
  if (noteNumber !== null) return { kind: 'CREDITED', creditNoteNumber: noteNumber };
  return null;
}
