import type { InvoiceDocument } from '../../../domain/document/invoice-document.ts';
import type { NumberOrUuid } from '../../../domain/invoice/invoice.schema.ts';
import type { Actor, Context } from '../../context.ts';
import { EhfNotPossible } from '../../platform/http/ehf-not-possible.ts';
import { renderEhf } from './ehf.ts';
import { AppError } from '../../errors.ts';
import { findDocument } from '../document.service.ts';
import { ehfFile, readEhf } from '../document-file.service.ts';
import { keepFiles } from '../document-file.repository.ts';

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
  const { issued, document } = await findDocument(context, actor.companyId, name);
  if (!issued) throw new AppError('draft_has_no_ehf');
  const { companyId } = issued;
  const kept = await readEhf(context, companyId, issued.files);
  if (kept !== null) return { xml: kept, document };
  const xml = makeEhf(document);
  // By itself, so that callers who want the EHF wait for no printer. The PDF takes it up when it is made.
  const files = await keepFiles(context, issued, [ehfFile(xml)]);
  return { xml: (await readEhf(context, companyId, files)) ?? xml, document };
}

function makeEhf(document: InvoiceDocument): string {
  try {
    return renderEhf(document);
  } catch (error) {
    if (!(error instanceof EhfNotPossible)) throw error;
    throw new AppError('ehf_not_possible', { subject: error.code, cause: error });
  }
}
