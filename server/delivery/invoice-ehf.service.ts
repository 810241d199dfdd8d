import type { InvoiceDocument } from '../../domain/invoice/invoice-document.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Actor, Context } from '../context.ts';
import { EhfNotPossible } from '../ehf/ehf-not-possible.ts';
import { renderEhf } from '../ehf/ehf.ts';
import { AppError } from '../errors.ts';
import { findDocument, type InvoiceWithDocument } from '../invoice/invoice-document.service.ts';
import { findOriginal } from './delivery-documents.service.ts';
import { preview } from './invoice-pdf.service.ts';
import { findSentDocuments } from './sent-document.repository.ts';

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
  const found = await findDocument(context.db, actor.companyId, name);
  const { row, document } = found;
  if (row.status === 'DRAFT') throw new AppError('draft_has_no_ehf');
  const kept = await findKept(context, found);
  if (kept) return { xml: kept, document };
  // Why there is none, before anything is made.
  const xml = makeEhf(document);
  await keep(context, found);
  return { xml: (await findKept(context, found)) ?? xml, document };
}

/** Keeps what is made first, with its PDF. Where that cannot be printed now, a later look keeps both. */
async function keep(context: Context, found: InvoiceWithDocument): Promise<void> {
  const caller = { owner: found.row.companyId, signal: new AbortController().signal };
  try {
    await findOriginal(context, found, async (input) => preview(context, input, caller));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function findKept(context: Context, { row }: InvoiceWithDocument): Promise<string | null> {
  const files = await findSentDocuments(context.db, row.companyId, [row.id]);
  const ehf = files.find(({ format }) => format === 'EHF');
  return ehf ? Buffer.from(ehf.content).toString() : null;
}

function makeEhf(document: InvoiceDocument): string {
  try {
    return renderEhf(document);
  } catch (error) {
    if (!(error instanceof EhfNotPossible)) throw error;
    throw new AppError('ehf_not_possible', { subject: error.code, cause: error });
  }
}
