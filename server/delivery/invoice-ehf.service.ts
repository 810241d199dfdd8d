import type { InvoiceDocument } from '../../domain/invoice/invoice-document.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Actor, Context } from '../context.ts';
import { EhfNotPossible } from '../ehf/ehf-not-possible.ts';
import { renderEhf } from '../ehf/ehf.ts';
import { AppError } from '../errors.ts';
import { findDocument } from '../invoice/invoice-document.service.ts';
import { ehfOf } from './delivery-documents.service.ts';
import { findSentDocuments, keepDocuments } from './sent-document.repository.ts';

/** An EHF to be downloaded. */
interface ShownEhf {
  readonly xml: string;
  readonly document: InvoiceDocument;
}

/**
 * The invoice as EHF Billing 3.0: the very text that was kept when it was first made.
 * @throws AppError not_found, draft_has_no_ehf, ehf_not_possible
 */
export async function findEhf(
  context: Context,
  actor: Actor,
  name: NumberOrUuid,
): Promise<ShownEhf> {
  const { row, document } = await findDocument(context.db, actor.companyId, name);
  if (row.status === 'DRAFT') throw new AppError('draft_has_no_ehf');
  const { companyId, id: invoiceId } = row;
  const findKept = async () => ehfOf(await findSentDocuments(context.db, companyId, [invoiceId]));
  const kept = await findKept();
  if (kept !== null) return { xml: kept, document };
  const xml = makeEhf(document);
  // By itself: whoever wants the EHF waits for no printer. The PDF takes it up when it is made.
  const files = [{ format: 'EHF' as const, content: Buffer.from(xml) }];
  const [isKept] = await keepDocuments(context.db, [{ companyId, invoiceId, files }]);
  return { xml: isKept ? xml : ((await findKept()) ?? xml), document };
}

function makeEhf(document: InvoiceDocument): string {
  try {
    return renderEhf(document);
  } catch (error) {
    if (!(error instanceof EhfNotPossible)) throw error;
    throw new AppError('ehf_not_possible', { subject: error.code, cause: error });
  }
}
