import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Actor, Context } from '../context.ts';
import { EhfNotPossible } from '../ehf/ehf-not-possible.ts';
import { renderEhf } from '../ehf/ehf.ts';
import { AppError } from '../errors.ts';
import { findDocument } from './invoice-document.service.ts';

/** The invoice as EHF Billing 3.0. @throws AppError not_found, draft_has_no_ehf, ehf_not_possible */
export async function findEhf(context: Context, actor: Actor, name: NumberOrUuid): Promise<string> {
  const { row, document } = await findDocument(context.db, actor.companyId, name);
  if (row.status === 'DRAFT') throw new AppError('draft_has_no_ehf');
  try {
    return renderEhf(document);
  } catch (error) {
    if (!(error instanceof EhfNotPossible)) throw error;
    throw new AppError('ehf_not_possible', { subject: error.code, cause: error });
  }
}
