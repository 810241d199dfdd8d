import { daysBetween, todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { paymentDeadline } from '../../domain/invoice/claim.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import { isBusiness } from '../../domain/parties.ts';
import {
  PROPOSALS_MAX,
  type Proposal,
  type SentReminders,
} from '../../domain/reminder/reminder.schema.ts';
import { lockCompany } from '../company/profile.repository.ts';
import { authorOf } from '../invoice/history.repository.ts';
import { requireInvoice } from '../invoice/invoice.repository.ts';
import { findReminderSettings } from '../company/reminder-settings.service.ts';
import type { Actor, Context } from '../context.ts';
import { carrierOf } from '../delivery/carriers-in-use.service.ts';
import { findUnconfirmed } from '../delivery/delivery.repository.ts';
import { AppError, sentenceOf, type Language } from '../errors.ts';
import { findBookedFiles, isHalfBooked } from '../payment/bank-file/bank-file.repository.ts';
import { findRates } from '../payment/late-payment.repository.ts';
import { findSettlements, findUnplacedFor } from '../payment/payment.repository.ts';
import type { Db } from '../platform/db/database.ts';
import { sendRemindersJob } from '../platform/jobs/jobs.ts';
import { findSuppressed } from '../platform/mail/refusals.ts';
import {
  judgeBankFiles,
  judgeProposal,
  type BankFiles,
  type Circumstances,
  type Judged,
} from './proposal-judging.ts';
import { remind } from './reminder.service.ts';
import { findRemindersSoFar } from './reminder-plan.service.ts';
import { findLate, type LateFilter, type LateRow, type Place } from './reminder.repository.ts';

/** An invoice whose next reminder is due, and that reminder. */
export interface Proposed extends Judged {
  readonly invoice: LateRow;
  /** The last day on which a payment was in time (REM-1, REM-2). */
  readonly deadline: IsoDate;
  /** How many reminders the invoice has had. */
  readonly sent: number;
  /** Null when the customer has no address: the reminder is printed. */
  readonly recipient: string | null;
}

/**
 * The invoices whose next reminder is due today by the company's settings, with the reason why some wait; a page,
 * by due date.
 */
export async function listProposals(
  { db, config }: Context,
  { companyId }: Actor,
  page: number,
  language: Language,
): Promise<Proposal[]> {
  const today = todayInOslo();
  const circumstances = await findCircumstances({ db, config }, companyId, today);
  const wanted = { most: PROPOSALS_MAX, offset: (page - 1) * PROPOSALS_MAX };
  const { proposed } = await findProposed(db, companyId, circumstances, wanted);
  return proposed.map((proposal) => present(proposal, today, language));
}

/** Reads the settings, rates and bank file status by which a company's proposals are judged. */
export async function findCircumstances(
  { db, config }: Pick<Context, 'db' | 'config'>,
  companyId: number,
  today: IsoDate,
): Promise<Circumstances> {
  const { steps, minimumAmount } = await findReminderSettings(db, companyId);
  return {
    today,
    steps,
    minimumAmount,
    rates: await findRates(db),
    switches: { debtCollectionNotice: config.debtCollectionNotice },
    bankFiles: config.features.has('payments')
      ? await lookAtBankFiles(db, companyId, today)
      : 'NONE',
  };
}

async function lookAtBankFiles(db: Db, companyId: number, today: IsoDate): Promise<BankFiles> {
  if (await isHalfBooked(db, companyId)) return 'HALF_BOOKED';
  const files = (await findBookedFiles(db, companyId)).map(({ createdAt, toDate }) => ({
    readOn: todayInOslo(createdAt),
    through: toDate,
  }));
  return judgeBankFiles(files, today);
}

/** Proposals in their order, and the position of the last invoice examined; null at the end. */
export async function findProposed(
  db: Db,
  companyId: number,
  circumstances: Circumstances,
  wanted: Omit<LateFilter, 'today' | 'days'>,
): Promise<{ proposed: Proposed[]; last: Place | null }> {
  const { today, steps } = circumstances;
  const days = steps.map((step) => step.days);
  const found = await findLate(db, companyId, { ...wanted, today, days });
  const rows = await countUnconfirmedAsSent(db, companyId, found);
  const ids = rows.map(({ id }) => id);
  const settlements = await findSettlements(db, companyId, ids);
  const findSoFar = await findRemindersSoFar(db, companyId, ids);
  const mayBePaid = await findUnplacedFor(db, companyId, rows);
  const recipients = rows.flatMap((row) => recipientOf(row) ?? []);
  const suppressed = await findSuppressed(db, recipients);
  const proposed = rows.flatMap((invoice) => {
    const recipient = recipientOf(invoice);
    const deadline = paymentDeadline(invoice);
    const candidate = {
      ...invoice,
      dueDate: deadline,
      ...findSoFar(invoice.id),
      isBusiness: isBusiness(invoice.buyer.orgNumber),
      credit: invoice.customer?.credit ?? ore(0),
      mayBePaid: mayBePaid(invoice),
      settlements: settlements.get(invoice.id) ?? [],
      recipient,
      isSuppressed: recipient !== null && suppressed.has(recipient.toLowerCase()),
    };
    const judged = judgeProposal(candidate, circumstances);
    return judged === null
      ? []
      : [{ ...judged, invoice, deadline, sent: candidate.sent.length, recipient }];
  });
  return { proposed, last: rows.length < wanted.most ? null : (rows.at(-1) ?? null) };
}

/**
 * An EHF whose arrival is still unconfirmed after some days counts as sent, so that reminders do not wait for
 * ever.
 */
async function countUnconfirmedAsSent(
  db: Db,
  companyId: number,
  rows: readonly LateRow[],
): Promise<LateRow[]> {
  const queued = rows.filter(({ deliveryStatus }) => deliveryStatus === 'QUEUED');
  const ids = queued.map(({ id }) => id);
  const unconfirmed = await findUnconfirmed(db, companyId, ids);
  return rows.map((row) => (unconfirmed.has(row.id) ? { ...row, deliveryStatus: 'SENT' } : row));
}

/** The customer's current address, or the one on the invoice when the customer was deleted. */
function recipientOf({ customer, buyer }: LateRow): string | null {
  return carrierOf('EMAIL').addressOf({ orgNumber: null, ...(customer ?? buyer) });
}

function present(
  { invoice, deadline, sent, next, newDueDate, claim, waits, recipient }: Proposed,
  today: IsoDate,
  language: Language,
): Proposal {
  return {
    invoiceUuid: invoice.uuid,
    step: next.step,
    kind: next.kind,
    fee: claim && oreToKroner(claim.fee),
    interest: claim && oreToKroner(claim.interest),
    amount: claim && oreToKroner(claim.amount),
    invoiceNumber: invoice.invoiceNumber,
    customerName: invoice.buyer.name,
    customerNumber: invoice.buyer.customerNumber,
    amountDue: oreToKroner(invoice.amountDue),
    dueDate: deadline,
    daysLate: daysBetween(deadline, today),
    sent,
    newDueDate,
    recipient,
    waits: waits && sentenceOf(waits.reason, language),
    waitsFor: waits && waits.code,
  };
}

/** Reminders sent within the request, and by each job. */
const AT_ONCE = 100;

/**
 * Sends the proposed reminders of these invoices: the first hundred within the request, the rest in jobs, which go
 * on when the caller disconnects.
 */
export async function sendProposals(
  context: Context,
  actor: Actor,
  uuids: readonly string[],
  language: Language,
): Promise<SentReminders> {
  const { companyId } = actor;
  const by = authorOf(actor);
  const all = [...new Set(uuids)];
  const waiting = all.slice(AT_ONCE);
  const parts = Array.from({ length: Math.ceil(waiting.length / AT_ONCE) }, (_, part) =>
    waiting.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
  await context.jobs.enqueueAll(
    context.db,
    sendRemindersJob,
    parts.map((part) => ({
      payload: { companyId, uuids: part, by },
      key: `${companyId}:${part[0]}`,
    })),
  );
  const { sent, skipped } = await sendApproved(context, { companyId, by }, all.slice(0, AT_ONCE));
  return {
    sent,
    skipped: skipped.map(({ uuid, reason }) => ({ uuid, message: sentenceOf(reason, language) })),
    ...(waiting.length > 0 && { waiting }),
  };
}

/** The results of approved proposals, in the order of the request. */
interface Outcome {
  readonly sent: { readonly invoiceUuid: string; readonly reminderUuid: string }[];
  readonly skipped: { readonly uuid: string; readonly reason: AppError }[];
}

/**
 * Sends the proposed reminders of these invoices, each in its own transaction. One that waits or fails is listed
 * as skipped. Running it twice sends nothing twice.
 */
export async function sendApproved(
  context: Context,
  { companyId, by }: { readonly companyId: number; readonly by: HistoryAuthor },
  uuids: readonly string[],
): Promise<Outcome> {
  const circumstances = await findCircumstances(context, companyId, todayInOslo());
  const outcome: Outcome = { sent: [], skipped: [] };
  for (const uuid of uuids) {
    try {
      const wanted = { companyId, uuid, circumstances };
      const reminderUuid = await remindAsProposed(context, by, wanted);
      outcome.sent.push({ invoiceUuid: uuid, reminderUuid });
    } catch (error) {
      if (!(error instanceof AppError)) {
        context.log.error({ err: error, invoice: uuid }, 'reminder not sent');
      }
      const reason = error instanceof AppError ? error : new AppError('unavailable');
      outcome.skipped.push({ uuid, reason });
    }
  }
  return outcome;
}

/**
 * Sends the reminder that is proposed for one invoice at this moment, in its own transaction. It reads payments
 * and disputes anew. Returns the reminder's uuid.
 * @throws AppError not_found, reminder_not_due, why it waits, and as `remind` does
 */
export async function remindAsProposed(
  context: Context,
  author: HistoryAuthor,
  {
    companyId,
    uuid,
    circumstances,
  }: { readonly companyId: number; readonly uuid: string; readonly circumstances: Circumstances },
): Promise<string> {
  return context.db.transaction().execute(async (trx) => {
    // Lock before reading, so that this transaction sees what the previous holder of the lock wrote.
    await lockCompany(trx, companyId);
    const wanted = { most: 1, uuids: [uuid] };
    const { proposed } = await findProposed(trx, companyId, circumstances, wanted);
    const [proposal] = proposed;
    if (!proposal) {
      await requireInvoice(trx, companyId, uuid);
      throw new AppError('reminder_not_due');
    }
    if (proposal.waits) throw proposal.waits.reason;
    const { invoice, next, newDueDate } = proposal;
    const { row } = await remind(context, trx, author, {
      companyId,
      invoiceId: invoice.id,
      step: next.step,
      wish: {
        kind: next.kind,
        dueDate: newDueDate,
        fee: next.fee,
        interest: next.interest,
        compensation: false,
      },
    });
    return row.uuid;
  });
}
