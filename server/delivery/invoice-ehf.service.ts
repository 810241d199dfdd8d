import type { InvoiceDocument } from '../../domain/invoice/invoice-document.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Actor, Context } from '../context.ts';
import { EhfNotPossible } from '../ehf/ehf-not-possible.ts';
import { renderEhf } from '../ehf/ehf.ts';
import { AppError } from '../errors.ts';
import { findDocument } from '../invoice/invoice-document.service.ts';
import { findSentDocuments } from './sent-document.repository.ts';

/** An EHF to be downloaded. */
interface ShownEhf {
  readonly xml: string;
  readonly document: InvoiceDocument;
}

/**
 * The invoice as EHF Billing 3.0: the very text that was mailed once it was.
 * @throws AppError not_found, draft_has_no_ehf, ehf_not_possible
 */
export async function findEhf(
  context: Context,
  actor: Actor,
  name: NumberOrUuid,
): Promise<ShownEhf> {
  const { row, document } = await findDocument(context.db, actor.companyId, name);
  if (row.status === 'DRAFT') throw new AppError('draft_has_no_ehf');
  const sent = await findSentDocuments(context.db, actor.companyId, [row.id]);
  const kept = sent.find(({ format }) => format === 'EHF');
  return { xml: kept ? Buffer.from(kept.content).toString() : makeEhf(document), document };
}

function makeEhf(document: InvoiceDocument): string {
  try {
    return renderEhf(document);
  } catch (error) {
    if (!(error instanceof EhfNotPossible)) throw error;
    throw new AppError('ehf_not_possible', { subject: error.code, cause: error });
  }
}
