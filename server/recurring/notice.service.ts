import { randomUUID } from 'node:crypto';

import type { Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { AppError, type ErrorCode, sentenceOf } from '../errors.ts';
import { recurringNoticeJob } from '../platform/jobs/jobs.ts';
import { sendNotice } from '../platform/mail/notice.ts';
import { findOwnerAddress } from '../account/owner-address.service.ts';
import * as assignments from './assignment.repository.ts';
import type { AssignmentRow } from './assignment.repository.ts';
import { obstacleMail, runMail } from './recurring.mail.ts';
import { findRuns, type FailureRow, type RunRow } from './run.repository.ts';

/** Failures that one mail names. */
const NAMED_FAILURES = 20;

interface EndedRun {
  readonly companyId: number;
  readonly assignment: AssignmentRow;
  readonly run: Pick<RunRow, 'id' | 'mode'>;
}

/** Queues a mail to the owner about a finished run that made less than expected. Once: a run finishes once. */
export async function noticeOfRun(
  { jobs }: Pick<Context, 'jobs'>,
  trx: Trx,
  { companyId, assignment, run }: EndedRun,
): Promise<void> {
  const [made] = await findRuns(trx, companyId, {
    assignmentId: assignment.id,
    runId: run.id,
    listed: 1,
    skip: 0,
    most: 1,
  });
  if (!made) return;
  const isLate = assignment.mode === 'SEND' && run.mode === 'DRAFT';
  const isLess = made.failureCount > 0 || made.invoiceCount === 0 || made.lostCustomers.length > 0;
  if (!isLate && !isLess) return;
  await jobs.enqueue(trx, recurringNoticeJob, {
    companyId,
    assignmentId: assignment.id,
    runId: run.id,
    noticeUuid: randomUUID(),
  });
}

/** Saves why a due assignment waits, and queues a mail to its owner the first time. */
export async function noticeOfObstacle(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  { companyId, assignmentId }: { readonly companyId: number; readonly assignmentId: number },
  { reason, today }: { readonly reason: AppError; readonly today: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const obstacle = { obstacle: reason.code, today };
    if (!(await assignments.saveObstacle(trx, companyId, assignmentId, obstacle))) return;
    await jobs.enqueue(trx, recurringNoticeJob, {
      companyId,
      assignmentId,
      runId: null,
      noticeUuid: randomUUID(),
    });
  });
}

interface Notice {
  readonly companyId: number;
  readonly assignmentId: number;
  /** null: the notice is about the reason why the assignment waits. */
  readonly runId: number | null;
  readonly noticeUuid: string;
}

/** Mails a notice to the company's address. Sends nothing when the assignment is deleted or no longer waits. */
export async function mailNotice(context: Context, notice: Notice): Promise<void> {
  const { db } = context;
  const { companyId, assignmentId, runId, noticeUuid } = notice;
  const assignment = await assignments.findAssignmentById(db, companyId, assignmentId);
  if (!assignment) return;
  const content =
    runId === null
      ? aboutObstacle(context, assignment)
      : await aboutRun(context, companyId, assignment, runId);
  const address = await findOwnerAddress(db, companyId);
  if (!content || address === null) return;
  const headers = { 'Auto-Submitted': 'auto-generated' };
  await sendNotice(context, { address, key: noticeUuid }, { headers, ...content });
}

function aboutObstacle({ config }: Context, { name, nextDate, obstacle }: AssignmentRow) {
  if (obstacle === null || nextDate === null) return null;
  const reason = sentenceOf(new AppError(obstacle as ErrorCode), 'nb');
  return obstacleMail({ name, date: nextDate, reason, url: urlOf(config) });
}

async function aboutRun(
  { config, db }: Context,
  companyId: number,
  { id: assignmentId, name, mode }: AssignmentRow,
  runId: number,
) {
  const selection = { assignmentId, runId, listed: NAMED_FAILURES, skip: 0, most: 1 };
  const [run] = await findRuns(db, companyId, selection);
  if (!run) return null;
  return runMail({
    name,
    period: { from: run.periodFrom, to: run.periodTo },
    invoices: run.invoiceCount,
    isLate: mode === 'SEND' && run.mode === 'DRAFT',
    failures: run.failures.map((failure) => ({
      customerNumber: failure.customerNumber,
      reason: sentenceOf(reasonOf(failure), 'nb'),
    })),
    failureCount: run.failureCount,
    lost: run.lostCustomers,
    url: urlOf(config),
  });
}

/** Why an invoice stayed a draft. */
export function reasonOf({ failure, failureSubject }: FailureRow): AppError {
  return new AppError(failure as ErrorCode, { subject: failureSubject ?? undefined });
}

function urlOf({ publicUrl }: Context['config']): string {
  return `${publicUrl}/invoices/recurring/`;
}
