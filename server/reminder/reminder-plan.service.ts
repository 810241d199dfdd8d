import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { DeliveryStatus } from '../../domain/delivery/delivery.schema.ts';
import { reminderAmount, type ReminderDocument } from '../../domain/document/reminder-document.ts';
import {
  amountDue,
  paymentDeadline,
  presentedOn,
  whyNothingIsAsked,
} from '../../domain/invoice/claim.ts';
import { earlierClaim, interestOn, type AskedFor } from '../../domain/late-payment/interest.ts';
import { compensationOn, feeOn, MissingRateError } from '../../domain/late-payment/rates.ts';
import {
  deadlineOf,
  proposedDeadline,
  refusalOf,
  type LateInvoice,
  type ReminderWish,
  type SentReminder,
} from '../../domain/late-payment/reminder-law.ts';
import { ore, oreToKroner, type Ore } from '../../domain/money.ts';
import { isBusiness } from '../../domain/parties.ts';
import type { ListedReminder, ReminderBody } from '../../domain/reminder/reminder.schema.ts';
import type { Context } from '../context.ts';
import { carrierOf } from '../delivery/carriers-in-use.service.ts';
import { findCustomersByIds } from '../customer/customer.repository.ts';
import { requireIssuer } from '../company/profile.repository.ts';
import type { Db } from '../platform/db/database.ts';
import {
  findDeliveries,
  findReminderDeliveries,
  findUnconfirmed,
} from '../delivery/delivery.repository.ts';
import type { ListedDelivery } from '../delivery/delivery.rows.ts';
import { AppError } from '../errors.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { findRates } from '../payment/late-payment.repository.ts';
import { findSettlements } from '../payment/payment.repository.ts';
import { lockLogo } from '../company/logo.repository.ts';
import { findReminders, type ReminderRow } from './reminder.repository.ts';

/** The reminder a caller asks for; without a due date, the proposed one. */
export type Wish = Pick<ReminderBody, 'kind' | 'dueDate' | 'fee' | 'interest' | 'compensation'>;

export interface ReminderPlan {
  readonly step: number;
  readonly document: ReminderDocument;
  /** The last day on which a payment is in time; interest runs from the day after (REM-13). */
  readonly deadline: IsoDate;
  /** The address it is mailed to; null when the customer has none. */
  readonly recipient: string | null;
  /** The further addresses of the same mail. */
  readonly copies: readonly string[];
  /** The invoice, as the law looks at it. */
  readonly late: LateInvoice;
}

/** Length limit in characters for the description of what the invoice is for. */
const ABOUT_MAX = 200;

/**
 * Computes the reminder of an invoice on a day. The caller holds the invoice if it makes the reminder.
 *
 * @param today in Oslo
 * @throws AppError invoice_not_remindable, invoice_disputed, invoice_not_delivered, invoice_under_way,
 * reminder_refused, rate_missing, total_too_large, profile_incomplete
 */
export async function planReminder(
  { config, db }: { readonly config: Context['config']; readonly db: Db },
  invoice: InvoiceRow,
  wish: Wish,
  today: IsoDate,
): Promise<ReminderPlan> {
  requireRemindable(invoice);
  const { companyId } = invoice;
  const { seller } = await requireIssuer(db, companyId);
  const logo = await lockLogo(db, companyId);
  const findSoFar = await findRemindersSoFar(db, companyId, [invoice.id]);
  const { step, sent, interestAsked } = findSoFar(invoice.id);
  const asked = { ...wish, sentOn: today, dueDate: wish.dueDate ?? proposedDeadline(today) };
  const deadline = await findDeadline(db, invoice);
  const late = { dueDate: deadline, isBusiness: isBusiness(invoice.buyer.orgNumber), sent };
  const refusal = refusalOf(late, asked, config);
  if (refusal) throw new AppError('reminder_refused', { subject: refusal });
  const document: ReminderDocument = {
    kind: wish.kind,
    date: today,
    dueDate: asked.dueDate,
    ...(await claimOf(db, { ...invoice, interestAsked, deadline }, asked)),
    ...ofInvoice(invoice),
    seller,
    logo,
  };
  computed(() => reminderAmount(document));
  return { step: step + 1, document, deadline, late, ...(await findRecipients(db, invoice)) };
}

/** @throws AppError rate_missing, which names the half-year; total_too_large above the largest amount in øre */
function computed<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('total_too_large', { cause: error });
    if (!(error instanceof MissingRateError)) throw error;
    const subject = `${error.kind} ${error.from}`;
    throw new AppError('rate_missing', { subject, cause: error });
  }
}

/** @throws AppError invoice_not_remindable, invoice_disputed */
function requireRemindable(invoice: InvoiceRow): void {
  const why = whyNothingIsAsked(invoice, amountDue(invoice));
  if (why === 'DISPUTED') throw new AppError('invoice_disputed');
  if (why !== null) throw new AppError('invoice_not_remindable', { subject: why });
}

/**
 * The last day on which a payment is in time (REM-1). An invoice that was not delivered is never late. An EHF
 * whose arrival is still unconfirmed after some days counts from its registration.
 * @throws AppError invoice_not_delivered, invoice_under_way
 */
async function findDeadline(db: Db, invoice: InvoiceRow): Promise<IsoDate> {
  const { companyId, id, deliveryStatus, registeredOn } = invoice;
  const deliveries = (await findDeliveries(db, companyId, [id])).get(id) ?? [];
  const isUnconfirmed = (await findUnconfirmed(db, companyId, [id])).has(id);
  const since = presentedOn({ ...invoice, deliveries }) ?? (isUnconfirmed ? registeredOn : null);
  if (since === null) {
    throw new AppError(deliveryStatus === 'FAILED' ? 'invoice_not_delivered' : 'invoice_under_way');
  }
  return paymentDeadline({ ...invoice, presentedOn: since });
}

/** Fee, interest and compensation by the rates of the day. */
async function claimOf(
  db: Db,
  invoice: InvoiceRow & AskedFor & { readonly deadline: IsoDate },
  { fee, interest, compensation, sentOn }: ReminderWish & Pick<Wish, 'interest'>,
): Promise<Pick<ReminderDocument, 'fee' | 'interest' | 'compensation' | 'earlier'>> {
  const { companyId, id, deadline: dueDate, grossAmount, creditedAmount } = invoice;
  const principal = ore(grossAmount - creditedAmount);
  const rates = await findRates(db);
  const settlements = (await findSettlements(db, companyId, [id])).get(id) ?? [];
  return computed(() => {
    const late = interest
      ? interestOn(rates, { principal, settlements, dueDate, through: sentOn })
      : null;
    return {
      fee: fee ? feeOn(rates, sentOn) : ore(0),
      interest: late && late.amount > 0 ? late : null,
      compensation: compensation ? compensationOn(rates, sentOn) : ore(0),
      earlier: earlierClaim(invoice, late?.amount ?? ore(0)),
    };
  });
}

/** The fields of the document that come from its invoice. */
function ofInvoice(invoice: InvoiceRow) {
  const { invoiceNumber, buyer, bankAccountNumber } = invoice;
  if (invoiceNumber === null || bankAccountNumber === null) {
    throw new Error(`Invoice ${invoice.id} was registered incompletely`);
  }
  const { issueDate, dueDate, grossAmount, paidAmount, creditedAmount, lines } = invoice;
  const { kid, kidModulus, reference } = invoice;
  const first = lines[0]?.description ?? '';
  const about = Array.from(first).slice(0, ABOUT_MAX).join('');
  return {
    invoiceNumber,
    invoice: {
      issueDate,
      dueDate,
      grossAmount,
      paidAmount,
      creditedAmount: creditedAmount === 0 ? null : creditedAmount,
      about: lines.length > 1 || about !== first ? `${about} m.m.` : about,
    },
    kid,
    kidModulus,
    bankAccountNumber,
    reference,
    buyer,
  };
}

/**
 * The addresses for a reminder, whatever the delivery type of the invoice: the customer's current one, or the one on
 * the invoice when the customer was deleted.
 */
async function findRecipients(
  db: Db,
  { companyId, customerId, buyer }: InvoiceRow,
): Promise<Pick<ReminderPlan, 'recipient' | 'copies'>> {
  const customers = await findCustomersByIds(db, companyId, customerId ? [customerId] : []);
  const own = customers.get(customerId ?? 0) ?? buyer;
  const carrier = carrierOf('EMAIL');
  return { recipient: carrier.addressOf(own), copies: carrier.copiesOf?.(own) ?? [] };
}

export interface RemindersSoFar {
  /** The step of the last one; 0 before the first. */
  readonly step: number;
  /** In the order of their steps, as the law counts them. */
  readonly sent: readonly SentReminder[];
  /** Øre of the interest asked for, paid or not. */
  readonly interestAsked: Ore;
  /** The mail status of the last reminder; null when it had no mail or was stopped. */
  readonly lastDelivery: DeliveryStatus | null;
}

/** The reminders of each of these invoices so far, by its id. */
export async function findRemindersSoFar(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<(invoiceId: number) => RemindersSoFar> {
  const rows = await findReminders(db, companyId, invoiceIds);
  const reminded = Map.groupBy(rows, ({ invoiceId }) => invoiceId);
  const deliveries = await findReminderDeliveries(db, companyId, [...reminded.keys()]);
  return (invoiceId) => soFar(reminded.get(invoiceId) ?? [], deliveries);
}

function soFar(
  rows: readonly ReminderRow[],
  deliveries: ReadonlyMap<number, readonly ListedDelivery[]>,
): RemindersSoFar {
  const last = rows.at(-1);
  const delivery = last && deliveries.get(last.documentId)?.at(-1);
  return {
    step: last?.step ?? 0,
    sent: rows.map((row) => asCounted(row, deliveries.get(row.documentId) ?? [])),
    // A new claim for interest replaces the previous one.
    interestAsked:
      rows.findLast((row) => row.waivedAt === null && row.interest > 0)?.interestLeft ?? ore(0),
    lastDelivery: delivery && delivery.stoppedBy === null ? delivery.status : null,
  };
}

/**
 * A reminder as the law counts it. A reminder that was never sent asked for nothing. One that bounced and was sent
 * again counts from the later day.
 */
function asCounted(row: ReminderRow, deliveries: readonly ListedDelivery[]): SentReminder {
  const { sentOn, dueDate, fee, compensation, waivedAt } = row;
  const wasStopped =
    waivedAt !== null &&
    deliveries.length > 0 &&
    deliveries.every(({ status }) => status === 'FAILED') &&
    deliveries.some(({ stoppedBy }) => stoppedBy !== null);
  if (wasStopped) return { sentOn, dueDate, fee: ore(0), compensation: ore(0), stopped: true };
  const arrived = deliveries.filter(({ status }) => status === 'SENT');
  const left = arrived.length > 0 ? arrived : deliveries;
  const times = left.flatMap(({ sentTime }) => sentTime?.getTime() ?? []);
  const leftOn = times.length > 0 ? todayInOslo(new Date(Math.min(...times))) : sentOn;
  return { sentOn, dueDate: deadlineOf({ dueDate, fee }, leftOn), fee, compensation };
}

/** The same in kroner, for the list. */
export function presentCounted(
  row: ReminderRow,
  deliveries: readonly ListedDelivery[] = [],
): ListedReminder['counted'] {
  const { dueDate, fee, compensation, stopped = false } = asCounted(row, deliveries);
  return { dueDate, fee: oreToKroner(fee), compensation: oreToKroner(compensation), stopped };
}
