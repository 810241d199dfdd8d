import { daysBetween, todayInOslo, type IsoDate } from '../../domain/date.ts';
import { paymentDeadline } from '../../domain/invoice/claim.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import { PROPOSALS_MAX, type Proposal } from '../../domain/reminder/reminder.schema.ts';
import { findBookedFiles, isHalfBooked } from '../payment/bank-file/bank-file.service.ts';
import type { Actor, Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { findUnconfirmed } from '../delivery/delivery-list.service.ts';
import { sentenceOf, type Language } from '../errors.ts';
import { findRates } from '../payment/late-payment.service.ts';
import { findSuppressed } from '../platform/mail/suppressed-address.ts';
import { findSettlements, findUnplacedFor } from '../payment/settlement.service.ts';
import { findReminderSettings } from '../company/reminder-settings.service.ts';
import {
  judgeBankFiles,
  judgeProposal,
  type BankFiles,
  type Circumstances,
  type Judged,
} from './proposal-judging.ts';
import { findLate, type LateRow, type Place } from './proposal.repository.ts';
import { findRemindersSoFar } from './reminder-past.service.ts';

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

export interface Wanted {
  readonly most: number;
  readonly offset?: number;
  /** Only invoices after this position. */
  readonly after?: Place | null;
  /** Only these invoices. */
  readonly uuids?: readonly string[];
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
  return judgeBankFiles(await findBookedFiles(db, companyId), today);
}

/** Proposals in their order, and the position of the last invoice examined; null at the end. */
export async function findProposed(
  db: Db,
  companyId: number,
  circumstances: Circumstances,
  wanted: Wanted,
): Promise<{ proposed: Proposed[]; last: Place | null }> {
  const { today, steps } = circumstances;
  const days = steps.map((step) => step.days);
  const found = await findLate(db, companyId, { ...wanted, today, days });
  const rows = await countUnconfirmedAsSent(db, companyId, found);
  const paidInPart = rows.filter(({ grossAmount, amountDue }) => amountDue < grossAmount);
  const settlements = await findSettlements(
    db,
    companyId,
    paidInPart.map(({ id }) => id),
  );
  const findSoFar = await findRemindersSoFar(
    db,
    companyId,
    rows.map(({ id }) => id),
  );
  const mayBePaid = await findUnplacedFor(db, companyId, rows);
  const suppressed = await findSuppressed(
    db,
    rows.flatMap((row) => recipientOf(row) ?? []),
  );
  const proposed = rows.flatMap((invoice) => {
    const recipient = recipientOf(invoice);
    const deadline = paymentDeadline(invoice);
    const candidate = {
      ...invoice,
      dueDate: deadline,
      ...findSoFar(invoice.id),
      isBusiness: invoice.buyer.orgNumber !== null,
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
  return customer === null ? buyer.email : customer.email;
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
