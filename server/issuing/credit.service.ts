import { todayInOslo } from '../../domain/date.ts';
import type { CreditBody, CreditTrial } from '../../domain/invoice/credit.schema.ts';
import type { DeleteQuery, Invoice, NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import { termsOf } from '../../domain/invoice/invoice.terms.ts';
import { deletableStatus, invoiceDeletionNeeds } from '../../domain/invoice/invoice.status.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import { demand } from '../account/permissions.ts';
import type { Actor, Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { stopCancelled } from '../delivery/delivery-making.service.ts';
import { findArrivalType } from '../delivery/delivery-order.service.ts';
import { askAbout, type Asked } from '../einvoice/evidence.service.ts';
import { AppError } from '../errors.ts';
import { authorOf, recordEvents } from '../invoice/history.repository.ts';
import {
  deleteDraft,
  getInvoiceById,
  lockInvoice,
  requireInvoice,
} from '../invoice/invoice.repository.ts';
import { insertInvoices } from '../invoice/drafts.repository.ts';
import { lockIssuer, type Issuer } from '../company/profile.repository.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { releaseBeyond, releasePayments } from '../payment/mark-paid.service.ts';
import { followCredit } from '../payment/payment-posting.service.ts';
import { planCredit, type CreditPlan } from './credit-plan.ts';
import { findCredited } from './credit.repository.ts';
import { statusFor } from './drafts.service.ts';
import { describeInvoice, presentLeft } from './invoice.presenter.ts';
import { register, type Registrar } from './registration.service.ts';

/** All that is left of an invoice. */
const ALL = { lines: null, reductions: null } as const;

/**
 * Deletes a draft, or cancels a registered invoice with a credit note that takes the next number
 * (bokføringsforskriften § 5-2-7). With payments on, a paid one too, when the caller expects that (INV-23 to INV-27).
 *
 * @param expected the status that the caller saw; another status throws status_changed
 * @throws AppError not_found, status_changed, paid_invoice_stays, already_cancelled,
 * credit_note_stays, not_permitted
 */
export async function deleteInvoice(
  context: Context,
  actor: Actor,
  name: NumberOrUuid,
  expected?: DeleteQuery['expect'],
): Promise<void> {
  const { companyId } = actor;
  const payments = context.config.features.has('payments');
  const found = await requireInvoice(context.db, companyId, name);
  const { uuid } = found;
  const asked = await askAboutCreditNote(context, found);
  await context.db.transaction().execute(async (trx) => {
    // Lock order: the company first and then the invoice, as in registering.
    const issuer = await lockIssuer(trx, companyId);
    const invoice = await lockInvoice(trx, companyId, uuid);
    if (invoice.kind === 'CREDIT_NOTE') throw new AppError('credit_note_stays');
    if (expected !== undefined && invoice.status !== expected) {
      throw new AppError('status_changed', { subject: invoice.status });
    }
    demand(actor, invoiceDeletionNeeds(invoice));
    switch (invoice.status) {
      case 'DRAFT':
        await deleteDraft(trx, companyId, invoice.id);
        return;
      case 'REGISTERED':
        await credit(context, trx, { issuer, author: authorOf(actor), asked }, invoice, ALL);
        return;
      case 'PAID':
        // Only a caller who expects a paid invoice has seen that the money becomes credit.
        if (expected === undefined || !deletableStatus(invoice, { payments })) {
          throw new AppError('paid_invoice_stays');
        }
        await credit(context, trx, { issuer, author: authorOf(actor), asked }, invoice, ALL);
        return;
      case 'CANCELLED':
        throw new AppError('already_cancelled');
    }
  });
}

/** Asks the network about the buyer of an invoice that is to be credited; of a draft, about nobody. */
async function askAboutCreditNote(
  context: Context,
  { companyId, status, buyer }: InvoiceRow,
): Promise<Asked> {
  const isAsked =
    status !== 'DRAFT' && buyer.orgNumber !== null && (buyer.country ?? null) === null;
  return askAbout(context, companyId, isAsked ? [buyer.orgNumber] : [], 'CREDIT_NOTE');
}

/**
 * Credits a part of an invoice, or all that is left of it (CRE-1 to CRE-14).
 * @throws AppError not_found, credit_note_stays, draft_not_credited, paid_invoice_not_credited,
 * already_cancelled, and as `planCredit`
 */
export async function creditInvoice(
  context: Context,
  actor: Actor,
  uuid: string,
  body: CreditBody,
): Promise<Invoice> {
  const { companyId } = actor;
  const found = await requireInvoice(context.db, companyId, uuid);
  const asked = await askAboutCreditNote(context, found);
  return context.db.transaction().execute(async (trx) => {
    // Lock order: the company first and then the invoice, as in registering.
    const issuer = await lockIssuer(trx, companyId);
    const invoice = await lockInvoice(trx, companyId, uuid);
    requireCreditable(context, invoice);
    const note = await credit(
      context,
      trx,
      { issuer, author: authorOf(actor), asked },
      invoice,
      body,
    );
    return describeInvoice({ ...context, db: trx }, companyId, note.uuid);
  });
}

/** Computes what `creditInvoice` would do, and writes nothing. @throws AppError as it */
export async function tryCredit(
  context: Context,
  { companyId }: Actor,
  uuid: string,
  body: CreditBody,
): Promise<CreditTrial> {
  const invoice = await requireInvoice(context.db, companyId, uuid);
  requireCreditable(context, invoice);
  const plan = planCredit(invoice.lines, await findCredited(context.db, invoice), body);
  return {
    credited: presentSums(plan.totals),
    left: presentSums(plan.left),
    lines: plan.linesLeft.map((left) => Object.assign(presentLeft(left), { id: left.id })),
  };
}

function presentSums({ net, vat, gross }: InvoiceTotals): CreditTrial['left'] {
  return { net: oreToKroner(net), vat: oreToKroner(vat), gross: oreToKroner(gross) };
}

function requireCreditable(
  { config }: Pick<Context, 'config'>,
  { kind, status }: InvoiceRow,
): void {
  if (kind === 'CREDIT_NOTE') throw new AppError('credit_note_stays');
  if (status === 'DRAFT') throw new AppError('draft_not_credited');
  if (status === 'CANCELLED') throw new AppError('already_cancelled');
  if (status === 'PAID' && !config.features.has('payments')) {
    throw new AppError('paid_invoice_not_credited');
  }
}

/**
 * Credits an invoice. What was paid beyond the rest becomes customer credit (CRE-10). When nothing is left, deliveries
 * that are no longer needed are stopped. The caller holds the issuer and the invoice.
 */
async function credit(
  context: Context,
  trx: Trx,
  { issuer, author, asked }: Registrar,
  invoice: InvoiceRow,
  wish: Pick<CreditBody, 'lines' | 'reductions'> & { readonly reason?: string | null | undefined },
): Promise<InvoiceRow> {
  const { companyId } = issuer;
  const invoiceId = invoice.id;
  const plan = planCredit(invoice.lines, await findCredited(trx, invoice), wish);
  // The database cancels only an invoice without payments.
  const releasedFirst = plan.isAll ? await releasePayments(trx, companyId, author, invoice) : 0;
  const note = await createCreditNote(trx, invoice, plan, wish.reason ?? null);
  await recordEvents(trx, author, [{ companyId, invoiceId: note.id, kind: 'CREATED' }]);
  const registrar = { issuer: issuerOf(issuer, invoice), author, asked };
  const { registered, skipped } = await register(context, trx, registrar, [note]);
  for (const { reason } of skipped) throw reason;
  const released = plan.isAll
    ? releasedFirst
    : await releaseBeyond(trx, companyId, author, invoice, ore(plan.left.gross));
  const [creditNote] = registered;
  const details = {
    creditNote,
    ...(invoice.creditedAmount === 0 && plan.isAll
      ? {}
      : { credited: oreToKroner(plan.totals.gross) }),
    ...(released === 0 ? {} : { amount: oreToKroner(released) }),
  };
  await recordEvents(trx, author, [{ companyId, invoiceId, kind: 'CREDITED', details }]);
  if (plan.isAll) {
    await stopCancelled(context, trx, { companyId, invoiceId, noteId: note.id, author });
  } else {
    await followCredit(trx, companyId, author, invoice);
  }
  return note;
}

/**
 * Creates the draft of a credit note (bokføringsforskriften § 5-2-7; INV-24, INV-25), with the buyer of its invoice, even
 * when the customer has been changed or deleted since.
 *
 * It is dated today but never before its invoice: the VAT must not be reversed in an earlier term than the one that
 * declared it.
 */
async function createCreditNote(
  trx: Trx,
  invoice: InvoiceRow,
  { lines, totals, isByLines, isAll }: CreditPlan,
  reason: string | null,
): Promise<InvoiceRow> {
  const { companyId, customerId, buyer } = invoice;
  const { dueDate: _, ...terms } = termsOf(invoice);
  const arrivedAs = await findArrivalType(trx, companyId, invoice.id);
  const deliveryType = arrivedAs ?? invoice.deliveryType;
  const today = todayInOslo();
  const isOnly = isAll && invoice.creditedAmount === 0;
  const note = {
    customerId,
    kind: 'CREDIT_NOTE' as const,
    sourceQuote: null,
    creditsInvoiceId: invoice.id,
    creditExtent: isOnly ? null : isAll ? ('REST' as const) : ('PART' as const),
    vatSubtotals: isByLines ? null : totals.subtotals,
    ...terms,
    // The message of the invoice does not apply to its credit note.
    message: reason,
    issueDate: invoice.issueDate > today ? invoice.issueDate : today,
    dueDays: 0,
    deliveryType,
    deliveryStatus: statusFor(deliveryType),
    netAmount: totals.net,
    vatAmount: totals.vat,
    grossAmount: totals.gross,
    buyer,
    buyerVatNumber: invoice.buyerVatNumber,
  };
  const [inserted] = await insertInvoices(trx, companyId, [note], lines);
  if (!inserted) throw new Error('A credit note was not added');
  return getInvoiceById(trx, companyId, inserted.id);
}

/**
 * The seller on the credit note: the company as it is now, with the VAT registration of the invoice, because the VAT
 * that was charged is reversed. If the profile has another organisation now, the seller of the invoice.
 */
function issuerOf(issuer: Issuer, { seller }: InvoiceRow): Issuer {
  if (!seller) return issuer;
  const isSame = seller.orgNumber === issuer.seller.orgNumber;
  const { vatRegistered } = seller;
  return { ...issuer, seller: isSame ? { ...issuer.seller, vatRegistered } : seller };
}
