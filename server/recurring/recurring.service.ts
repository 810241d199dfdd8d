import { hourInOslo, todayInOslo } from '../../domain/date.ts';
import type { Actor, Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import { analyzeAfterBulk } from '../platform/db/upkeep.ts';
import { AppError } from '../errors.ts';
import { authorOf, SYSTEM } from '../invoice/history.service.ts';
import { TryLater } from '../platform/jobs/job.ts';
import { recurringRunJob } from '../platform/jobs/jobs.ts';
import * as assignments from './assignment.repository.ts';
import type { DueRow } from './assignment.repository.ts';
import { noticeOfObstacle } from './notice.service.ts';
import { findRuns, findUnfinished, type WholeRun } from './run.repository.ts';
import { LISTED_INVOICES_MAX, RUNS_PAGE_SIZE } from '../../domain/recurring/recurring.schema.ts';
import { INVOICES_BY_HAND, makeSome } from './run.service.ts';

/** Assignments that one query reads. */
const FOUND_AT_ONCE = 1000;
/** How long a large run works before it gives way to other companies (milliseconds). */
const TURN = 20_000;
/** PostgreSQL analyzes the tables after this many new invoices. */
const BULK = 500;
/** The hour in Oslo before which nothing is made (REC-18): nobody wants an invoice in the middle of the night. */
const FIRST_HOUR = 6;

/** Queues everything that is due, of every company, from six in the morning in Oslo. */
export async function startDue(context: Context): Promise<void> {
  if (hourInOslo() < FIRST_HOUR) return;
  const today = todayInOslo();
  for (let after = 0; ;) {
    const most = FOUND_AT_ONCE;
    const due = await assignments.findDue(context.db, { today, after, most });
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
 * Makes what is due of an assignment, the oldest period first, in parts between which open requests are
 * answered. A period that cannot be made waits, and its owner gets one mail with the reason.
 *
 * @throws TryLater when there is more to make, and others come first
 */
export async function makeDue(
  context: Context,
  { companyId, assignmentId }: { readonly companyId: number; readonly assignmentId: number },
  signal: AbortSignal,
): Promise<void> {
  const order = { companyId, assignmentId, author: SYSTEM };
  const until = Date.now() + TURN;
  // Lists are slow until PostgreSQL has analyzed many new rows: analyzed at 500, 1000, 2000 …
  let untold = 0;
  let tellAt = BULK;
  try {
    for (;;) {
      const made = await makeSome(context, order);
      if (!made) break;
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
 * Makes the next period now that it is due, or goes on with a run that has begun, and returns the run. If it
 * has many invoices, the first are made now and the others by a job.
 *
 * @throws AppError not_found, assignment_not_due, assignment_paused, assignment_ended, and as `makeSome`
 */
export async function runNow(context: Context, actor: Actor, uuid: string): Promise<WholeRun> {
  const { db } = context;
  const { companyId } = actor;
  const { id } = await requireDue(db, companyId, uuid);
  const author = authorOf(actor);
  const order = { companyId, assignmentId: id, author, most: INVOICES_BY_HAND };
  const made = await makeSome(context, order);
  // Another call has made it meanwhile.
  if (!made) throw refusalOf(await assignments.requireAssignment(db, companyId, uuid));
  if (!made.isDone) await enqueueRuns(context, db, [{ companyId, id }]);
  const [run] = await findRuns(db, companyId, {
    assignmentId: id,
    runId: made.runId,
    listed: LISTED_INVOICES_MAX,
    skip: 0,
    most: 1,
  });
  if (!run) throw new AppError('not_found');
  return run;
}

async function requireDue(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<assignments.AssignmentRow> {
  const assignment = await assignments.requireAssignment(db, companyId, uuid);
  const { id, nextDate } = assignment;
  const isDue = nextDate !== null && nextDate <= todayInOslo();
  if (!isDue && !(await findUnfinished(db, companyId, id))) throw refusalOf(assignment);
  return assignment;
}

function refusalOf({ state, nextDate }: assignments.AssignmentRow): AppError {
  if (state === 'PAUSED') return new AppError('assignment_paused');
  if (state === 'ENDED' || nextDate === null) return new AppError('assignment_ended');
  return new AppError('assignment_not_due', { subject: nextDate });
}

/** The runs of an assignment with their invoices, newest period first. @throws AppError not_found */
export async function listRuns(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  page: number,
): Promise<WholeRun[]> {
  const { id } = await assignments.requireAssignment(db, companyId, uuid);
  return findRuns(db, companyId, {
    assignmentId: id,
    runId: null,
    listed: LISTED_INVOICES_MAX,
    skip: (page - 1) * RUNS_PAGE_SIZE,
    most: RUNS_PAGE_SIZE,
  });
}
