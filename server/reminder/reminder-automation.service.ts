import { addDays, hourInOslo, todayInOslo, type IsoDate } from '../../domain/date.ts';
import { isWorkingDay } from '../../domain/late-payment/working-days.ts';
import { PROPOSALS_MAX } from '../../domain/reminder/reminder.schema.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { SYSTEM } from '../invoice/history.service.ts';
import { TryLater } from '../platform/jobs/job.ts';
import { remindJob } from '../platform/jobs/jobs.ts';
import { sendNotice } from '../platform/mail/notice.ts';
import { requireIssuer, isProfileCompleted } from '../company/profile.service.ts';
import { findAutomatic, findReminderSettings } from '../company/reminder-settings.service.ts';
import type { Circumstances } from './proposal-judging.ts';
import { remindAsProposed } from './proposal-sending.service.ts';
import type { Place } from './proposal.repository.ts';
import { findCircumstances, findProposed } from './proposal.service.ts';
import * as repository from './reminder-day.repository.ts';
import { waitingMail } from './proposals.mail.ts';

/** Invoices that are looked at in one job; then it is another company's turn. */
const BATCH = 50;
/** The hours of a working day in Oslo within which reminders are sent by themselves: from, and before. */
const HOURS = { from: 8, before: 16 } as const;
const HALF_BOOKED = 'A file of the bank is half booked';
/** After so many days the owner is told again of what still waits. */
const TOLD_AGAIN_AFTER = 7;

/** What the job is told; see `remindJob`. */
interface Order {
  readonly companyId: number | null;
  readonly after: Place | null;
}

/**
 * Sends what is to be sent of a company, or tells its owner that it waits for him; with null, has that
 * done for every company that wants it and has not been looked through today. On working days from 08 to
 * 16 in Oslo alone. Doing it twice sends nothing twice.
 */
export async function remindAutomatically(
  context: Context,
  { companyId, after }: Order,
  signal: AbortSignal,
): Promise<void> {
  if (!isSendingTime()) return;
  const today = todayInOslo();
  if (companyId === null) return remindForAll(context, today);
  const settings = await findReminderSettings(context.db, companyId);
  if (!settings.automatic || !(await isProfileCompleted(context.db, companyId))) return;
  const circumstances = await findCircumstances(context, companyId, today);
  if (circumstances.bankFiles === 'HALF_BOOKED') throw new TryLater(HALF_BOOKED);
  if (settings.approve || circumstances.bankFiles !== 'FRESH') {
    return askOwner(context, companyId, circumstances);
  }
  return sendSome(context, { companyId, after }, circumstances, signal);
}

/** Whether reminders may leave by themselves. */
function isSendingTime(): boolean {
  const hour = hourInOslo();
  return isWorkingDay(todayInOslo()) && hour >= HOURS.from && hour < HOURS.before;
}

async function remindForAll({ db, jobs }: Context, today: IsoDate): Promise<void> {
  const companyIds = await repository.findUnfinished(db, await findAutomatic(db), today);
  const items = companyIds.map((companyId) => itemOf({ companyId, after: null }));
  await jobs.enqueueAll(db, remindJob, items);
}

function itemOf(payload: { readonly companyId: number; readonly after: Place | null }) {
  const { companyId, after } = payload;
  const place = after ? `${after.dueDate}:${after.invoiceNumber}` : '';
  return { payload, key: `${companyId}:${place}` };
}

/** One that cannot be sent leaves the others; what is no refusal is thrown when they are done. */
async function sendSome(
  { db, jobs, ...rest }: Context,
  { companyId, after }: { readonly companyId: number; readonly after: Place | null },
  circumstances: Circumstances,
  signal: AbortSignal,
): Promise<void> {
  const context = { db, jobs, ...rest };
  const { proposed, last } = await findProposed(db, companyId, circumstances, {
    most: BATCH,
    after,
  });
  const faults: unknown[] = [];
  // What can only be printed waits for somebody who does.
  const ready = proposed.filter(({ waits, recipient }) => waits === null && recipient !== null);
  for (const { invoice } of ready) {
    signal.throwIfAborted();
    if (!isSendingTime()) return;
    try {
      await remindAsProposed(context, SYSTEM, { companyId, uuid: invoice.uuid, circumstances });
    } catch (error) {
      // The same place is looked at again: who was reminded is not reminded twice.
      if (error instanceof AppError && error.code === 'bank_file_under_way') {
        throw new TryLater(HALF_BOOKED);
      }
      if (error instanceof AppError) {
        rest.log.info({ invoice: invoice.uuid, code: error.code }, 'reminder not sent');
      } else faults.push(error);
    }
  }
  if (last) {
    await jobs.enqueueAll(db, remindJob, [itemOf({ companyId, after: placeOf(last) })]);
  } else {
    await tellWhatWaits(context, companyId, circumstances);
    await repository.finishDay(db, companyId, circumstances.today);
  }
  for (const fault of faults) throw fault;
}

function placeOf({ dueDate, invoiceNumber }: Place): Place {
  return { dueDate, invoiceNumber };
}

/** While only a newer file of the bank is missing, the day is not over. */
async function askOwner(
  context: Context,
  companyId: number,
  circumstances: Circumstances,
): Promise<void> {
  await tellWhatWaits(context, companyId, circumstances);
  if (circumstances.bankFiles === 'OLD') return;
  await repository.finishDay(context.db, companyId, circumstances.today);
}

/** Mails the owner how many wait for him: when they are more than he was told of, and otherwise once a week. */
async function tellWhatWaits(
  context: Context,
  companyId: number,
  circumstances: Circumstances,
): Promise<void> {
  const { db } = context;
  const { today, bankFiles } = circumstances;
  const { proposed, last } = await findProposed(db, companyId, circumstances, {
    most: PROPOSALS_MAX,
  });
  const bankFileIsOld = bankFiles === 'OLD';
  const many = proposed.filter(
    ({ waits }) => waits === null || waits.code === 'BANK_FILE_OLD',
  ).length;
  const { toldOn, toldMany } = await repository.findTold(db, companyId);
  const isDue = toldOn === null || toldOn <= addDays(today, -TOLD_AGAIN_AFTER);
  if (many > 0 && toldOn !== today && (isDue || many > toldMany)) {
    await tell(context, { companyId, today, many, orMore: last !== null, bankFileIsOld });
    await repository.noteTold(db, companyId, { toldOn: today, toldMany: many });
  } else if (many < toldMany) {
    await repository.noteTold(db, companyId, { toldOn, toldMany: many });
  }
}

interface Told {
  readonly companyId: number;
  readonly today: IsoDate;
  readonly many: number;
  readonly orMore: boolean;
  readonly bankFileIsOld: boolean;
}

/** One mail a day, which has one Message-ID however often it is tried. */
async function tell(context: Context, { companyId, today, ...waiting }: Told): Promise<void> {
  const { seller } = await requireIssuer(context.db, companyId);
  const url = `${context.config.publicUrl}/invoices/reminders/`;
  const name = { address: seller.email, key: `reminders-${companyId}-${today}` };
  await sendNotice(context, name, waitingMail({ ...waiting, url }));
}
