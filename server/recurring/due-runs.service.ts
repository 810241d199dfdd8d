import { hourInOslo, todayInOslo } from '../../domain/date.ts';
import { oreToKroner } from '../../domain/money.ts';
import { isDue } from '../../domain/recurring/recurring-dates.ts';
import {
  LISTED_INVOICES_MAX,
  RUNS_PAGE_SIZE,
  type AssignmentRun,
  type MadeInvoice,
} from '../../domain/recurring/recurring.schema.ts';
import type { Actor, Context } from '../context.ts';
import { AppError, sentenceOf, type Language } from '../errors.ts';
import { authorOf, SYSTEM } from '../invoice/history.repository.ts';
import type { Db } from '../platform/db/database.ts';
import { analyzeAfterBulk } from '../platform/db/upkeep.ts';
import { handlerOf, TryLater, type JobHandler } from '../platform/jobs/job.ts';
import { recurringJob, recurringNoticeJob, recurringRunJob } from '../platform/jobs/jobs.ts';
import { findAssignment, type AssignmentRow } from './assignment.repository.ts';
import { mailNotice, noticeOfObstacle, reasonOf } from './notice.service.ts';
import {
  findDue,
  findRun,
  findRuns,
  findUnfinished,
  type DueRow,
  type MadeInvoiceRow,
  type WholeRun,
} from './run.repository.ts';
import { INVOICES_BY_HAND, makeSome, type Progressed } from './run.service.ts';

/** Assignments that one query reads. */
const FOUND_AT_ONCE = 1000;
/** How long a large run works before it gives way to other companies (milliseconds). */
const TURN = 20_000;
/** PostgreSQL analyzes the tables after this many new invoices. */
const BULK = 500;
/** The hour in Oslo before which nothing is made (REC-18): nobody wants an invoice in the middle of the night. */
const FIRST_HOUR = 6;

const EVERY_TEN_MINUTES = '*/10 * * * *';
const FEATURE = 'recurring';

/** The jobs that run standing assignments and mail notices about them. */
export function recurringJobs(context: Context): JobHandler[] {
  return [
    handlerOf(recurringJob, async () => startDue(context), {
      cron: EVERY_TEN_MINUTES,
      feature: FEATURE,
    }),
    handlerOf(recurringRunJob, async (order, signal) => makeDue(context, order, signal), {
      // Other jobs get a turn while a large company's runs are made.
      batches: 2,
      feature: FEATURE,
    }),
    handlerOf(recurringNoticeJob, async (notice) => mailNotice(context, notice), {
      feature: FEATURE,
    }),
  ];
}

/** Queues a job for every assignment that is due, of every company, from six in the morning in Oslo. */
export async function startDue(context: Context): Promise<void> {
  if (hourInOslo() < FIRST_HOUR) return;
  const today = todayInOslo();
  for (let after = 0; ;) {
    const most = FOUND_AT_ONCE;
    const due = await findDue(context.db, { today, after, most });
    await enqueueRuns(context, context.db, due);
    const last = due.at(-1);
    if (!last || due.length < most) return;
    after = last.id;
  }
}

async function enqueueRuns({ jobs }: Context, db: Db, due: readonly DueRow[]): Promise<void> {
  const items = due.map(({ companyId, id }) => ({
    payload: { companyId, assignmentId: id },
    key: String(id),
  }));
  if (items.length > 0) await jobs.enqueueAll(db, recurringRunJob, items);
}

/**
 * Makes the due periods of an assignment, the oldest first, in parts, so that requests are answered between them. A
 * period that cannot be made waits, and the owner gets one mail with the reason.
 *
 * @throws TryLater after its turn, when more is due
 */
export async function makeDue(
  context: Context,
  { companyId, assignmentId }: { readonly companyId: number; readonly assignmentId: number },
  signal: AbortSignal,
): Promise<void> {
  const order = { companyId, assignmentId, author: SYSTEM };
  let asked: Progressed['asked'];
  const until = Date.now() + TURN;
  // Lists are slow until PostgreSQL has analyzed many new rows: analyzed at 500, 1000, 2000 …
  let untold = 0;
  let tellAt = BULK;
  try {
    for (;;) {
      const made = await makeSome(context, { ...order, ...(asked !== undefined && { asked }) });
      if (!made) break;
      asked = made.isDone ? undefined : made.asked;
      untold += made.invoices;
      if (untold >= tellAt) {
        await analyzeAfterBulk(context, untold);
        tellAt = untold * 2;
      }
      if (signal.aborted || Date.now() > until) throw new TryLater('more is to be made');
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const today = todayInOslo();
    await noticeOfObstacle(context, { companyId, assignmentId }, { reason: error, today });
  }
}

/**
 * Makes the next due period at a person's request, or continues its run, and returns the run. The first hundred
 * invoices are made within the request, the others by a job.
 *
 * @throws AppError not_found, assignment_not_due, assignment_paused, assignment_ended, and as `makeSome`
 */
export async function runNow(
  context: Context,
  actor: Actor,
  uuid: string,
  language: Language,
): Promise<AssignmentRun> {
  const { db } = context;
  const { companyId } = actor;
  const { id } = await requireDue(db, companyId, uuid);
  const author = authorOf(actor);
  const order = { companyId, assignmentId: id, author, most: INVOICES_BY_HAND };
  const made = await makeSome(context, order);
  // Another call has made it meanwhile.
  if (!made) throw refusalOf(await requireAssignment(db, companyId, uuid));
  if (!made.isDone) await enqueueRuns(context, db, [{ companyId, id }]);
  const run = await findRun(db, companyId, made.runId, LISTED_INVOICES_MAX);
  if (!run) throw new AppError('not_found');
  return present(run, language);
}

async function requireDue(db: Db, companyId: number, uuid: string): Promise<AssignmentRow> {
  const assignment = await requireAssignment(db, companyId, uuid);
  if (!isDue(assignment) && !(await findUnfinished(db, companyId, assignment.id)))
    throw refusalOf(assignment);
  return assignment;
}

async function requireAssignment(db: Db, companyId: number, uuid: string): Promise<AssignmentRow> {
  const assignment = await findAssignment(db, companyId, { uuid });
  if (!assignment) throw new AppError('not_found');
  return assignment;
}

function refusalOf({ state, nextDate }: AssignmentRow): AppError {
  if (state === 'PAUSED') return new AppError('assignment_paused');
  if (state === 'ENDED' || nextDate === null) return new AppError('assignment_ended');
  return new AppError('assignment_not_due', { subject: nextDate });
}

/** The runs of an assignment with their invoices, newest period first. @throws AppError not_found */
export async function listRuns(
  { db }: Context,
  { companyId }: Actor,
  { uuid, page }: { readonly uuid: string; readonly page: number },
  language: Language,
): Promise<AssignmentRun[]> {
  const { id } = await requireAssignment(db, companyId, uuid);
  const runs = await findRuns(db, companyId, id, {
    listed: LISTED_INVOICES_MAX,
    skip: (page - 1) * RUNS_PAGE_SIZE,
    most: RUNS_PAGE_SIZE,
  });
  return runs.map((run) => present(run, language));
}

/** A run as the API shows it. */
function present(run: WholeRun, language: Language): AssignmentRun {
  return {
    periodFrom: run.periodFrom,
    periodTo: run.periodTo,
    date: run.runOn,
    invoices: run.invoices.map(({ uuid }) => uuid),
    made: run.invoices.map(presentMade),
    invoiceCount: run.invoiceCount,
    recipientCount: run.recipientCount,
    lostCustomers: [...run.lostCustomers],
    failures: run.failures.map((failure) => ({
      customerNumber: failure.customerNumber,
      customerDeleted: failure.customerDeleted,
      customerName: failure.customerName,
      message: sentenceOf(reasonOf(failure), language),
    })),
    mode: run.mode,
    state: run.finishedAt === null ? 'RUNNING' : 'DONE',
  };
}

function presentMade({ lastDelivery, ...row }: MadeInvoiceRow): MadeInvoice {
  return {
    ...row,
    grossAmount: oreToKroner(row.grossAmount),
    paidAmount: oreToKroner(row.paidAmount),
    deliveries: lastDelivery === null ? [] : [lastDelivery],
  };
}
