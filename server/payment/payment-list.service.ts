import { PAGE_SIZE } from '../../domain/invoice/invoice.schema.ts';
import { kronerToOre, oreToKroner } from '../../domain/money.ts';
import type {
  Payment,
  PaymentBody,
  PaymentListQuery,
  PaymentPage,
} from '../../domain/payment/payment.schema.ts';
import type { Actor, Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import {
  type OpenInvoice,
  authorOf,
  findOpen,
  requireInvoice,
} from '../invoice/invoice.service.ts';
import * as payments from './payment.service.ts';
import * as repository from './payment-list.repository.ts';
import type { ListedPayment } from './payment-list.repository.ts';

/** A page of payments, newest first. @throws AppError not_found for the invoice */
export async function listPayments(
  { db }: Context,
  { companyId }: Actor,
  query: PaymentListQuery,
): Promise<PaymentPage> {
  const { page, invoice, state, customerNumber = null } = query;
  const row = invoice === undefined ? null : await requireInvoice(db, companyId, invoice);
  const invoiceId = row?.id ?? null;
  const filter = { invoiceId, customerNumber, isUnplaced: state === 'UNPLACED' };
  const [rows, count] = await Promise.all([
    repository.findPage(db, companyId, page, filter),
    repository.countFound(db, companyId, filter),
  ]);
  const skipped = page > 1 ? 1 : 0;
  return {
    count,
    next: page * PAGE_SIZE < count ? pagePath(query, page + 1) : null,
    preceding: rows.slice(0, skipped)[0]?.uuid ?? null,
    previous: page > 1 ? pagePath(query, page - 1) : null,
    results: await present(db, companyId, rows.slice(skipped)),
  };
}

function pagePath({ invoice, state, customerNumber }: PaymentListQuery, page: number): string {
  const parameters = new URLSearchParams({ page: String(page) });
  if (invoice !== undefined) parameters.set('invoice', String(invoice));
  if (state !== undefined) parameters.set('state', state);
  if (customerNumber !== undefined) parameters.set('customer_number', String(customerNumber));
  return `/api/payments/?${parameters}`;
}

/** As `payByHand`, for people. */
export async function createPayment(
  context: Context,
  actor: Actor,
  { amount, ...body }: PaymentBody,
): Promise<Payment> {
  const payment = { ...body, amount: kronerToOre(amount) };
  return change(context, actor, async (trx) =>
    payments.payByHand(trx, actor.companyId, authorOf(actor), payment),
  );
}

/** As `placePayment`, for people. */
export async function placePayment(
  context: Context,
  actor: Actor,
  uuid: string,
  invoiceUuid: string,
): Promise<Payment> {
  return change(context, actor, async (trx) =>
    payments.placePayment(trx, actor.companyId, authorOf(actor), { uuid, invoiceUuid }),
  );
}

/** As `undoPayment`, for people; returns the payment with the row that takes it back. */
export async function undoPayment(context: Context, actor: Actor, uuid: string): Promise<Payment> {
  return change(context, actor, async (trx) => {
    await payments.undoPayment(trx, actor.companyId, authorOf(actor), uuid);
    return uuid;
  });
}

/** As `refundPayment`, for people; returns the payment with its refund. */
export async function refundPayment(
  context: Context,
  actor: Actor,
  uuid: string,
): Promise<Payment> {
  return change(context, actor, async (trx) => {
    await payments.refundPayment(trx, actor.companyId, authorOf(actor), uuid);
    return uuid;
  });
}

/** As `dropPayment`, for people. */
export async function dropPayment({ db }: Context, actor: Actor, uuid: string): Promise<void> {
  await db
    .transaction()
    .execute(async (trx) => payments.dropPayment(trx, actor.companyId, authorOf(actor), uuid));
}

/** Runs a change and returns the payment that it names. */
async function change(
  { db }: Context,
  { companyId }: Actor,
  work: (trx: Trx) => Promise<string>,
): Promise<Payment> {
  return db.transaction().execute(async (trx) => {
    const row = await repository.findListed(trx, companyId, await work(trx));
    const [payment] = await present(trx, companyId, row ? [row] : []);
    if (!payment) throw new AppError('not_found');
    return payment;
  });
}

async function present(
  db: Db,
  companyId: number,
  rows: readonly ListedPayment[],
): Promise<Payment[]> {
  const suggested = rows.flatMap(
    (row) => (row.isUnplaced ? row.suggestion?.invoiceIds : null) ?? [],
  );
  const open = await findOpen(db, companyId, suggested);
  return rows.map((row) => toPayment(row, open));
}

function toPayment(row: ListedPayment, open: ReadonlyMap<number, OpenInvoice>): Payment {
  return {
    uuid: row.uuid,
    date: row.paidOn,
    amount: oreToKroner(row.amount),
    reminderAmount: oreToKroner(row.reminderAmount),
    source: row.source,
    kind: row.kind,
    account: row.account,
    kid: row.kid,
    text: row.text,
    payer: row.payer,
    invoiceUuid: row.invoiceUuid,
    invoiceNumber: row.invoiceNumber,
    customerNumber: row.customerNumber,
    customerName: row.customerName,
    possibleCopy: row.possibleCopy,
    canBeDropped: row.isUnplaced && !row.wasPlaced,
    suggestion: row.isUnplaced ? toSuggestion(row.suggestion, open) : null,
    undoes: row.undoes,
    undoneBy: row.undoneBy,
  };
}

/** The amounts still due of the suggested invoices; null when nothing is due. */
function toSuggestion(
  suggestion: ListedPayment['suggestion'],
  open: ReadonlyMap<number, OpenInvoice>,
): Payment['suggestion'] {
  if (!suggestion) return null;
  const invoices = suggestion.invoiceIds.flatMap((id) => {
    const invoice = open.get(id);
    if (!invoice) return [];
    const { uuid, invoiceNumber, amountDue } = invoice;
    return [{ uuid, invoiceNumber, amountDue: oreToKroner(amountDue) }];
  });
  return invoices.length === 0 ? null : { reason: suggestion.reason, invoices };
}
