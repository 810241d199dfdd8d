import { todayInOslo } from '../../domain/date.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import { type DeleteQuery, type NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import { termsOf } from '../../domain/invoice/invoice.terms.ts';
import { deletableStatus } from '../../domain/invoice/invoice.status.ts';
import { oreToKroner } from '../../domain/money.ts';
import type { Actor, Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { stopCancelled } from '../delivery/delivery-making.service.ts';
import { findArrivalType } from '../delivery/delivery-order.service.ts';
import { AppError } from '../errors.ts';
import { authorOf, recordEvents } from '../invoice/history.repository.ts';
import {
  cancel,
  deleteDraft,
  getInvoiceById,
  lockInvoice,
  requireInvoice,
} from '../invoice/invoice.repository.ts';
import { insertInvoices } from '../invoice/drafts.repository.ts';
import { lockIssuer, type Issuer } from '../company/profile.repository.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { releasePayments } from '../payment/mark-paid.service.ts';
import { statusFor } from './drafts.service.ts';
import { register, type Registrar } from './registration.service.ts';

/**
 * Deletes a draft, or cancels a registered invoice with a credit note that takes the next number
 * (bokføringsforskriften § 5-2-7). With payments on, a paid one too, when the caller expects that (INV-23 to INV-27).
 *
 * @param expected the status that the caller saw; another status throws status_changed
 * @throws AppError not_found, status_changed, paid_invoice_stays, already_cancelled,
 * credit_note_stays
 */
export async function deleteInvoice(
  context: Context,
  actor: Actor,
  name: NumberOrUuid,
  expected?: DeleteQuery['expect'],
): Promise<void> {
  const { companyId } = actor;
  const payments = context.config.features.has('payments');
  await context.db.transaction().execute(async (trx) => {
    const { uuid } = await requireInvoice(trx, companyId, name);
    // Lock order: the company first and then the invoice, as in registering.
    const issuer = await lockIssuer(trx, companyId);
    const invoice = await lockInvoice(trx, companyId, uuid);
    if (invoice.kind === 'CREDIT_NOTE') throw new AppError('credit_note_stays');
    if (expected !== undefined && invoice.status !== expected) {
      throw new AppError('status_changed', { subject: invoice.status });
    }
    switch (invoice.status) {
      case 'DRAFT':
        return deleteDraft(trx, companyId, invoice.id);
      case 'REGISTERED':
        return cancelInvoice(context, trx, { issuer, author: authorOf(actor) }, invoice);
      case 'PAID':
        // Only a caller who expects a paid invoice has seen that the money becomes credit.
        if (expected === undefined || !deletableStatus(invoice, { payments })) {
          throw new AppError('paid_invoice_stays');
        }
        return cancelInvoice(context, trx, { issuer, author: authorOf(actor) }, invoice);
      case 'CANCELLED':
        throw new AppError('already_cancelled');
    }
  });
}

/**
 * Cancels a registered invoice with a credit note, and stops deliveries that are no longer needed. Its payments
 * become customer credit. The caller holds the issuer and the invoice.
 */
async function cancelInvoice(
  context: Context,
  trx: Trx,
  { issuer, author }: Registrar,
  invoice: InvoiceRow,
): Promise<void> {
  const { companyId } = issuer;
  const released = await releasePayments(trx, companyId, author, invoice);
  const arrivedAs = await findArrivalType(trx, companyId, invoice.id);
  await cancel(trx, companyId, invoice.id);
  const note = await createCreditNote(trx, invoice, arrivedAs ?? invoice.deliveryType);
  await recordEvents(trx, author, [{ companyId, invoiceId: note.id, kind: 'CREATED' }]);
  const registrar = { issuer: issuerOf(issuer, invoice), author };
  const { registered, skipped } = await register(context, trx, registrar, [note]);
  for (const { reason } of skipped) throw reason;
  const [creditNote] = registered;
  await recordEvents(trx, author, [
    {
      companyId,
      invoiceId: invoice.id,
      kind: 'CREDITED',
      details: { creditNote, ...(released === 0 ? {} : { amount: oreToKroner(released) }) },
    },
  ]);
  await stopCancelled(context, trx, { companyId, invoiceId: invoice.id, noteId: note.id, author });
}

/**
 * Creates the draft of the credit note for an invoice (bokføringsforskriften § 5-2-7; INV-24, INV-25), with the same
 * lines and buyer, even when the customer has been changed or deleted since.
 *
 * It is dated today but never before its invoice: the VAT must not be reversed in an earlier term than the one that
 * declared it.
 */
async function createCreditNote(
  trx: Trx,
  invoice: InvoiceRow,
  deliveryType: DeliveryType,
): Promise<InvoiceRow> {
  const { companyId, customerId, buyer, netAmount, vatAmount, grossAmount, lines } = invoice;
  const { dueDate: _, ...terms } = termsOf(invoice);
  const today = todayInOslo();
  const note = {
    customerId,
    kind: 'CREDIT_NOTE' as const,
    creditsInvoiceId: invoice.id,
    ...terms,
    // The message of the invoice does not apply to its credit note.
    message: null,
    issueDate: invoice.issueDate > today ? invoice.issueDate : today,
    dueDays: 0,
    deliveryType,
    deliveryStatus: statusFor(deliveryType),
    netAmount,
    vatAmount,
    grossAmount,
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
