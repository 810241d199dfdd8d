import type { Feature } from '../../domain/api/endpoint.ts';
import type { Delivery, DeliveryBody } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryEvent } from '../../domain/history/history.schema.ts';
import type { QuoteOfDraft } from '../../domain/invoice/draft-hints.ts';
import type { Invoice, NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { DisputeBody } from '../../domain/reminder/reminder.schema.ts';
import { todayInOslo } from '../../domain/date.ts';
import type { BulkStatusBody } from '../../domain/invoice/invoice-bulk.schema.ts';
import type { LineProposal } from '../../domain/invoice/invoice.endpoints.ts';
import { presentVat } from '../../domain/vat-treatment.ts';
import { oreToKroner } from '../../domain/money.ts';
import type { Actor, Context } from '../context.ts';
import { resend, sendByHand } from '../delivery/delivery-by-hand.service.ts';
import { findDeliveries } from '../delivery/delivery.repository.ts';
import { presentDelivery } from '../delivery/delivery.rows.ts';
import { describeEInvoice, findLookUps } from '../einvoice/einvoice.service.ts';
import { AppError } from '../errors.ts';
import { findAboveEstimate } from '../invoice/drafts.repository.ts';
import { authorOf, findHistory, recordEvents } from '../invoice/history.repository.ts';
import { lockInvoice, requireInvoice, updateDispute } from '../invoice/invoice.repository.ts';
import { type FoundLine, findLines } from '../invoice/earlier-lines.repository.ts';
import {
  explainRefusal,
  markInvoice,
  markMany,
  type Marked,
} from '../payment/mark-paid.service.ts';
import { leftOf, type Credited } from './credit-plan.ts';
import { findCredited } from './credit.repository.ts';
import { describe, describeInvoice, presentLeft } from './invoice.presenter.ts';
import { requireAnswerRow, type AnswerRow } from './invoice-list.repository.ts';
import { findObstacles } from './registration.service.ts';

/**
 * An invoice or credit note as the API shows it and, for a draft, the reasons why it could not be registered now.
 * @throws AppError not_found
 */
export async function getInvoice(
  context: Context,
  { companyId }: Actor,
  name: NumberOrUuid,
): Promise<{ readonly invoice: Invoice; readonly reasons: readonly AppError[] }> {
  const row = await requireAnswerRow(context.db, companyId, name);
  const isDraft = row.status === 'DRAFT';
  const reasons = isDraft ? await findObstacles(context, { ...row, seller: null }) : [];
  return { invoice: await withLeft(context, row, describe(row, context.config)), reasons };
}

/** With what is said about e-invoices, while `einvoice` is on. */
export async function withEInvoice(
  context: Context,
  { companyId }: Actor,
  invoice: Invoice,
): Promise<Invoice> {
  if (!context.config.features.has('einvoice')) return invoice;
  const row = await requireInvoice(context.db, companyId, invoice.uuid);
  return { ...invoice, einvoice: await describeEInvoice(context, row) };
}

/** The facts about a draft's quote that hints depend on; null without a quote. */
export async function judgeQuote(
  { db }: Context,
  { companyId }: Actor,
  { quote, lines }: Invoice,
): Promise<QuoteOfDraft | null> {
  if (!quote) return null;
  const above = await findAboveEstimate(db, companyId, [quote.uuid]);
  return {
    isAboveEstimate: above.has(quote.uuid),
    hasVat: lines.some(({ vatRatePercentage }) => vatRatePercentage !== 0),
  };
}

const NOTHING: Credited = { lines: new Map(), vat: [] };

/** With what can still be credited of the lines of an issued invoice, while `credit` is on. */
async function withLeft(
  { config, db }: Context,
  row: AnswerRow,
  invoice: Invoice,
): Promise<Invoice> {
  const isCreditable =
    row.kind === 'INVOICE' && (row.status === 'REGISTERED' || row.status === 'PAID');
  if (!isCreditable || !config.features.has('credit')) return invoice;
  const credited = row.notes === null ? NOTHING : await findCredited(db, row);
  const left = row.lines.map((line) => leftOf(line, credited));
  const lines = invoice.lines.map((line, index) => {
    const own = left[index];
    return own ? Object.assign(line, presentLeft(own)) : line;
  });
  return { ...invoice, lines };
}

/** The history of an invoice or credit note, newest event first. @throws AppError not_found */
export async function getHistory(
  context: Context,
  { companyId }: Actor,
  name: NumberOrUuid,
): Promise<HistoryEvent[]> {
  const { db } = context;
  const { id } = await requireInvoice(db, companyId, name);
  const lookUps = await findLookUps(context, companyId, id);
  const events = await findHistory(db, companyId, id);
  if (lookUps.length === 0) return events;
  // Both are in order already, and the sort keeps it among those of one instant.
  return [...lookUps, ...events].toSorted((one, other) => other.at.localeCompare(one.at));
}

/**
 * Like `markInvoice`, for a person: returns the changed invoice.
 * @throws AppError as `markInvoice`, paid_by_bank_while_off
 */
export async function updateStatus(
  { config, db }: Context,
  actor: Actor,
  uuid: string,
  status: InvoiceStatus,
): Promise<Invoice> {
  const { companyId } = actor;
  return db.transaction().execute(async (trx) => {
    await markInvoice(trx, companyId, authorOf(actor), { uuid, status }).catch((error: unknown) => {
      throw error instanceof AppError ? explainRefusal(config, error) : error;
    });
    return describeInvoice({ config, db: trx }, companyId, uuid);
  });
}

/**
 * Marks an invoice as disputed, changes the note, or ends the dispute. A disputed invoice gets no reminders.
 * @throws AppError not_found, invoice_not_disputable
 */
export async function disputeInvoice(
  { config, db }: Context,
  actor: Actor,
  uuid: string,
  { disputed, note }: DisputeBody,
): Promise<Invoice> {
  const { companyId } = actor;
  return db.transaction().execute(async (trx) => {
    const invoice = await lockInvoice(trx, companyId, uuid);
    const { id: invoiceId, kind, status } = invoice;
    if (kind !== 'INVOICE' || status === 'DRAFT') throw new AppError('invoice_not_disputable');
    const disputedNote = disputed ? note : null;
    if (invoice.disputed !== disputed || invoice.disputedNote !== disputedNote) {
      await updateDispute(trx, companyId, invoiceId, { disputed, disputedNote });
      const event = disputed
        ? {
            kind: 'DISPUTED' as const,
            details: disputedNote === null ? {} : { note: disputedNote },
          }
        : { kind: 'RESOLVED' as const };
      await recordEvents(trx, authorOf(actor), [{ companyId, invoiceId, ...event }]);
    }
    return describeInvoice({ config, db: trx }, companyId, uuid);
  });
}

/** Resends an invoice whose delivery failed. @throws AppError as `resend` */
export async function resendInvoice(
  context: Context,
  actor: Actor,
  uuid: string,
): Promise<Invoice> {
  await resend(context, actor, uuid);
  return describeInvoice(context, actor.companyId, uuid);
}

/**
 * Sends a registered invoice by hand, and returns the delivery.
 * @throws AppError as `sendByHand`
 */
export async function deliverInvoice(
  context: Context,
  actor: Actor,
  uuid: string,
  body: DeliveryBody,
): Promise<Delivery> {
  const invoiceId = await sendByHand(context, actor, uuid, body);
  const deliveries = await findDeliveries(context.db, actor.companyId, [invoiceId]);
  const latest = deliveries.get(invoiceId)?.at(-1);
  if (!latest) throw new Error(`Invoice ${invoiceId} has no delivery`);
  return presentDelivery(latest);
}

/**
 * Invoices marked in one transaction; between transactions the embedded database serves other calls. Marked invoices
 * stay marked when a later part fails; a retry lists them as skipped because they have the status.
 */
const BATCH = 20;

/**
 * Marks invoices as paid or unpaid, each once even if named twice; those that cannot be marked are listed with the
 * reason. With `dryRun` nothing is marked. @throws AppError paid_after_today
 */
export async function markInvoices(
  { config, db }: Context,
  actor: Actor,
  { uuids, status, paidDate, dryRun }: BulkStatusBody & { readonly dryRun: boolean },
): Promise<Marked> {
  if (status === 'PAID' && paidDate !== null && paidDate > todayInOslo()) {
    throw new AppError('paid_after_today', { field: 'paidDate' });
  }
  const wanted = [...new Set(uuids)];
  const parts: Marked[] = [];
  for (let start = 0; start < wanted.length; start += BATCH) {
    const part = wanted.slice(start, start + BATCH);
    const marking = { uuids: part, status, paidDate, dryRun };
    parts.push(
      await db
        .transaction()
        .execute(async (trx) => markMany(trx, actor.companyId, authorOf(actor), marking)),
    );
  }
  return {
    updated: parts.flatMap(({ updated }) => updated),
    skipped: parts.flatMap(({ skipped }) =>
      skipped.map(({ uuid, reason }) => ({ uuid, reason: explainRefusal(config, reason) })),
    ),
    payments: parts.flatMap(({ payments }) => payments),
  };
}

/** Lines that the company has invoiced before and whose description has this prefix; none for an empty prefix. */
export async function proposeLines(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { companyId }: Actor,
  query: { query: string; size: number },
): Promise<LineProposal[]> {
  if (query.query === '') return [];
  const lines = await findLines(db, companyId, query);
  return lines.map((line) => toProposal(line, config.features));
}

function toProposal(line: FoundLine, features: ReadonlySet<Feature>): LineProposal {
  const { description, netUnitAmount, unit, productNumber } = line;
  const proposal = {
    description,
    netUnitAmount: oreToKroner(netUnitAmount),
    ...presentVat(line, features),
    ...(features.has('products') && { productNumber }),
  };
  return features.has('units') && unit !== null ? { ...proposal, unit } : proposal;
}
