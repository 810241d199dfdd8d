import { addDays, hourInOslo, todayInOslo, type IsoDate } from '../../domain/date.ts';
import { isWorkingDay } from '../../domain/late-payment/working-days.ts';
import { PROPOSALS_MAX } from '../../domain/reminder/reminder.schema.ts';
import { notifyCompany } from '../account/company-notice.service.ts';
import { isProfileCompleted } from '../company/profile.service.ts';
import { findAutomatic } from '../company/reminder-settings.repository.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import { findReminderSettings } from '../company/reminder-settings.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { handlerOf, TryLater, type JobHandler } from '../platform/jobs/job.ts';
import { remindJob, sendRemindersJob } from '../platform/jobs/jobs.ts';
import { button, type Letter } from '../platform/mail/layout.ts';
import type { Circumstances } from './proposal-judging.ts';
import {
  findCircumstances,
  findProposed,
  remindAsProposed,
  sendApproved,
} from './proposal.service.ts';
import * as repository from './reminder.repository.ts';
import type { Place } from './reminder.repository.ts';

/** Invoices per job; then other companies get a turn. */
const BATCH = 50;
/** Office hours in Oslo in which automation sends (REM-23): from, and before. */
const HOURS = { from: 8, before: 16 } as const;
const HALF_BOOKED = 'A file of the bank is half booked';
/** Days until the owner is mailed again about reminders that still wait. */
const TOLD_AGAIN_AFTER = 7;

/** Every hour; the job itself checks working days and office hours in Oslo. */
const EVERY_HOUR = '0 * * * *';

/** The jobs of automation and of batches of reminders. */
export function reminderJobs(context: Context): JobHandler[] {
  return [
    handlerOf(remindJob, async (order, signal) => remindAutomatically(context, order, signal), {
      batches: 2,
      cron: EVERY_HOUR,
      feature: 'reminders',
    }),
    handlerOf(
      sendRemindersJob,
      async ({ uuids, ...whose }) => void (await sendApproved(context, whose, uuids)),
      { feature: 'reminders' },
    ),
  ];
}

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
  context: Context,
  { companyId, after }: { readonly companyId: number; readonly after: Place | null },
  circumstances: Circumstances,
  signal: AbortSignal,
): Promise<void> {
  const { db, jobs, log } = context;
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
        log.info({ invoice: invoice.uuid, code: error.code }, 'reminder not sent');
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
 * week. At most one mail a day: retries keep the same Message-ID.
 */
async function tellWhatWaits(
  context: Context,
  companyId: number,
  circumstances: Circumstances,
): Promise<void> {
  const { db } = context;
  const { today, bankFiles } = circumstances;
  const wanted = { most: PROPOSALS_MAX };
  const { proposed, last } = await findProposed(db, companyId, circumstances, wanted);
  const many = proposed.filter(
    ({ waits }) => waits === null || waits.code === 'BANK_FILE_OLD',
  ).length;
  const { toldOn, toldMany } = await repository.findLastNotice(db, companyId);
  const isDue = toldOn === null || toldOn <= addDays(today, -TOLD_AGAIN_AFTER);
  if (many > 0 && toldOn !== today && (isDue || many > toldMany)) {
    const key = `reminders-${companyId}-${today}`;
    const waiting = { many, orMore: last !== null, isBankFileOld: bankFiles === 'OLD' };
    const notice = { companyId, to: 'COMPANY', key, path: '/invoices/reminders/' } as const;
    await notifyCompany(context, notice, (url) => waitingMail(waiting, url));
    await repository.saveLastNotice(db, companyId, { toldOn: today, toldMany: many });
  } else if (many < toldMany) {
    await repository.saveLastNotice(db, companyId, { toldOn, toldMany: many });
  }
}

/** Tells the owner that reminders wait for approval, or for a newer bank file. */
function waitingMail(
  {
    many,
    orMore,
    isBankFileOld,
  }: {
    readonly many: number;
    /** Whether there are more than were counted. */
    readonly orMore: boolean;
    readonly isBankFileOld: boolean;
  },
  url: string,
): Letter {
  const number = many === 1 ? '1 purring' : `${orMore ? 'Over ' : ''}${many} purringer`;
  return {
    subject: `${number} venter på deg`,
    preheader: 'Ingenting sendes før du har sett på dem.',
    body: [
      many === 1
        ? 'En faktura har forfalt uten å være betalt. Purringen er klar, men sendes ikke før du har sett på den.'
        : 'Fakturaer har forfalt uten å være betalt. Purringene er klare, men sendes ikke før du har sett på dem.',
      ...(isBankFileOld
        ? [
            'Den siste bankfilen er eldre enn fire virkedager. Les inn en nyere først, så ingen som har betalt, blir purret.',
          ]
        : []),
      button('Se forslagene', url),
    ],
    footer: [
      'Du får denne e-posten fordi automatisk purring er slått på i profilen din. Den kommer når det har blitt flere, og ellers høyst en gang i uken.',
    ],
  };
}
