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

/** Invoices per job; then other companies get a turn. */
const BATCH = 50;
/** Office hours in Oslo in which automation sends (REM-23): from, and before. */
const HOURS = { from: 8, before: 16 } as const;
const HALF_BOOKED = 'A file of the bank is half booked';
/** Days until the owner is mailed again about reminders that still wait. */
const TOLD_AGAIN_AFTER = 7;

/** The payload of `remindJob`. */
interface Order {
  readonly companyId: number | null;
  readonly after: Place | null;
}

/**
 * Sends a company's due reminders, or mails its owner that they wait for approval. With a null company it queues a
 * job for every company with automation that is not finished today. Runs only on working days from 08 to 16 in
 * Oslo (REM-23). Running it twice sends nothing twice.
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

/** Whether automation may send now. */
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

/** A reminder that is refused does not stop the others; an unexpected error is thrown after the last one. */
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
  // A reminder to print needs a person, so automation skips it.
  const ready = proposed.filter(({ waits, recipient }) => waits === null && recipient !== null);
  for (const { invoice } of ready) {
    signal.throwIfAborted();
    if (!isSendingTime()) return;
    try {
      await remindAsProposed(context, SYSTEM, { companyId, uuid: invoice.uuid, circumstances });
    } catch (error) {
      // The retry starts at the same position; invoices that were just reminded are skipped.
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

/** The day is not finished while a bank file is too old: a newer file lets reminders be sent later today. */
async function askOwner(
  context: Context,
  companyId: number,
  circumstances: Circumstances,
): Promise<void> {
  await tellWhatWaits(context, companyId, circumstances);
  if (circumstances.bankFiles === 'OLD') return;
  await repository.finishDay(context.db, companyId, circumstances.today);
}

/**
 * Mails the owner how many reminders wait: when the number has grown since the last mail, and otherwise once a
 * week.
 */
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

/** One mail a day: retries keep the same Message-ID. */
async function tell(context: Context, { companyId, today, ...waiting }: Told): Promise<void> {
  const { seller } = await requireIssuer(context.db, companyId);
  const url = `${context.config.publicUrl}/invoices/reminders/`;
  const name = { address: seller.email, key: `reminders-${companyId}-${today}` };
  await sendNotice(context, name, waitingMail({ ...waiting, url }));
}
