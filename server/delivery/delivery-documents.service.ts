import type { InvoiceDocument } from '../../domain/invoice/invoice-document.ts';
import { batchWhileBusy } from '../batching.ts';
import type { Context } from '../context.ts';
import { EhfNotPossible } from '../ehf/ehf-not-possible.ts';
import { renderEhf } from '../ehf/ehf.ts';
import { findDocuments, type InvoiceWithDocument } from '../invoice/invoice-document.service.ts';
import type { PdfInput } from '../pdf/invoice-page.ts';
import type { DeliveryRow } from './delivery.rows.ts';
import {
  findSentDocuments,
  keepDocuments,
  type KeptDocuments,
  type SentDocument,
} from './sent-document.repository.ts';

/** What a delivery brings. */
export interface DeliveryContent {
  readonly document: InvoiceDocument;
  /** The bytes: those of an earlier try, or new ones, which are kept before they go out. */
  readonly files: readonly SentDocument[];
}

/** Deliveries whose documents are read by one statement. */
const READ_BATCH = 50;
/** Invoices whose bytes are kept by one statement; they are a hundred kilobytes each. */
const KEEP_BATCH = 8;

type Loaded = Pick<DeliveryContent, 'document' | 'files'> | null;

/** Prepares what deliveries bring, many at a time. */
export function createDocumentDesk(
  context: Context,
): (delivery: DeliveryRow) => Promise<DeliveryContent> {
  const load = batchWhileBusy<DeliveryRow, Loaded>(READ_BATCH, async (deliveries) =>
    loadContents(context, deliveries),
  );
  const keep = batchWhileBusy<KeptDocuments, boolean>(KEEP_BATCH, async (documents) =>
    keepDocuments(context.db, documents),
  );
  return async (delivery) => {
    const { companyId, invoiceId } = delivery;
    const loaded = await load(delivery);
    if (!loaded) throw new Error(`Delivery ${delivery.id} has no invoice`);
    if (isWhole(loaded.files)) return loaded;
    await context.rightOfWay.clear();
    const files = await makeFiles(loaded, async (input) => context.pdf.render(input));
    const isKept = await keep({ companyId, invoiceId, files });
    // Somebody was quicker; what they kept is what is sent.
    return isKept
      ? { document: loaded.document, files }
      : { ...loaded, files: await findSentDocuments(context.db, companyId, [invoiceId]) };
  };
}

async function loadContents(
  context: Context,
  deliveries: readonly DeliveryRow[],
): Promise<Loaded[]> {
  const contents = new Map<number, Loaded>();
  for (const [companyId, rows] of Map.groupBy(deliveries, (row) => row.companyId)) {
    const ids = rows.map((row) => row.invoiceId);
    const documents = await findDocuments(context.db, companyId, ids);
    const files = await findSentDocuments(context.db, companyId, ids);
    const filesOf = Map.groupBy(files, (file) => file.invoiceId);
    for (const { row, document } of documents) {
      contents.set(row.id, { document, files: filesOf.get(row.id) ?? [] });
    }
  }
  return deliveries.map((delivery) => contents.get(delivery.invoiceId) ?? null);
}

/**
 * The bytes of a registered document: those that were kept when it was first made, or new ones, which
 * are kept from now on, mailed or not. What was given to a customer stays the same, whatever becomes of
 * the template and the fonts.
 *
 * @param render makes the PDF, in the turn of whoever asks
 */
export async function findOriginal(
  context: Context,
  { row: { companyId, id: invoiceId }, document }: InvoiceWithDocument,
  render: Render,
): Promise<readonly SentDocument[]> {
  const kept = await findSentDocuments(context.db, companyId, [invoiceId]);
  if (isWhole(kept)) return kept;
  const files = await makeFiles({ document, files: kept }, render);
  await keepDocuments(context.db, [{ companyId, invoiceId, files }]);
  // Of two that were made at once, one was kept; it is what both show.
  return findSentDocuments(context.db, companyId, [invoiceId]);
}

type Render = (input: PdfInput) => Promise<Uint8Array>;

/** The EHF may be there before the PDF, which holds it; then the PDF is made with that very EHF. */
function isWhole(files: readonly SentDocument[]): boolean {
  return files.some(({ format }) => format === 'PDF');
}

/** The EHF among what is kept; null when there is none. */
export function ehfOf(files: readonly SentDocument[]): string | null {
  const ehf = files.find(({ format }) => format === 'EHF');
  return ehf ? Buffer.from(ehf.content).toString() : null;
}

async function makeFiles(
  { document, files }: DeliveryContent,
  render: Render,
): Promise<SentDocument[]> {
  const xml = ehfOf(files) ?? tryEhf(document);
  const pdf = await render({ document, stamp: null, xml });
  return [
    { format: 'PDF', content: pdf },
    ...(xml === null ? [] : [{ format: 'EHF' as const, content: Buffer.from(xml) }]),
  ];
}

/** The EHF, or null where EHF cannot express the invoice: then the mail goes without. */
function tryEhf(document: InvoiceDocument): string | null {
  try {
    return renderEhf(document);
  } catch (error) {
    if (error instanceof EhfNotPossible) return null;
    throw error;
  }
}
