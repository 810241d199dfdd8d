import { randomUUID } from 'node:crypto';

import { formatDate } from '../../domain/date.ts';
import { describePeriod } from '../../domain/recurring/placeholders.ts';
import type { Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { AppError, type ErrorCode, sentenceOf } from '../errors.ts';
import { recurringNoticeJob, type RecurringNotice } from '../platform/jobs/jobs.ts';
import { button, facts, type Letter } from '../platform/mail/layout.ts';
import { notifyCompany } from '../account/company-notice.service.ts';
import * as assignments from './assignment.repository.ts';
import type { AssignmentRow } from './assignment.repository.ts';
import { findRun, type FailureRow, type RunRow, type WholeRun } from './run.repository.ts';

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
  const made = await findRun(trx, companyId, run.id, 1);
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

/** Mails a notice to the company's address, and to its owners. Sends nothing when the assignment is deleted or no longer waits. */
export async function mailNotice(context: Context, notice: RecurringNotice): Promise<void> {
  const { db } = context;
  const { companyId, assignmentId, runId, noticeUuid } = notice;
  const assignment = await assignments.findAssignment(db, companyId, { id: assignmentId });
  if (!assignment) return;
  const run = runId === null ? null : await findRun(db, companyId, runId, NAMED_FAILURES);
  if (runId !== null && !run) return;
  await notifyCompany(
    context,
    { companyId, to: 'COMPANY', key: noticeUuid, path: '/invoices/recurring/' },
    (url) => (run ? aboutRun(assignment, run, url) : aboutObstacle(assignment, url)),
  );
}

/** Tells the owner why an assignment waits; null when it does not. */
function aboutObstacle({ name, nextDate, obstacle }: AssignmentRow, url: string): Letter | null {
  if (obstacle === null || nextDate === null) return null;
  const reason = sentenceOf(new AppError(obstacle as ErrorCode), 'nb');
  return {
    subject: `«${name}» venter`,
    preheader: reason,
    heading: `Det faste oppdraget «${name}» venter`,
    body: [
      `Fakturaene som skulle vært laget ${formatDate(nextDate)}, er ikke laget ennå:`,
      reason,
      'Vi prøver igjen av oss selv når det er rettet. Blir det etter datoen, lages fakturaene som ' +
        'utkast med dagens dato, så du kan se over dem før de sendes.',
      button('Se faste oppdrag', url),
    ],
    footer: FOOTER,
  };
}

/** Tells the owner that a run made less than expected. */
function aboutRun({ name, mode }: AssignmentRow, run: WholeRun, url: string): Letter {
  const period = describePeriod({ from: run.periodFrom, to: run.periodTo });
  const during = `Det faste oppdraget «${name}» er kjørt for ${period}.`;
  const isLate = mode === 'SEND' && run.mode === 'DRAFT';
  const { subject, heading, body } = wordsOf(run, during, isLate);
  const lost = run.lostCustomers.map(String);
  const numbers = new Intl.ListFormat('nb').format(lost);
  return {
    subject: `«${name}»: ${subject}`,
    preheader: `«${name}», ${period}`,
    heading,
    body: [
      ...body,
      ...(lost.length > 0
        ? [`Kunde ${numbers} er slettet, og får ikke lenger faktura fra oppdraget.`]
        : []),
      button('Se faste oppdrag', url),
    ],
    footer: FOOTER,
  };
}

/** Why an invoice stayed a draft. */
export function reasonOf({ failure, failureSubject }: FailureRow): AppError {
  return new AppError(failure as ErrorCode, { subject: failureSubject ?? undefined });
}

type Words = Pick<Letter, 'subject' | 'heading' | 'body'>;

/** @param isLate whether its invoices stayed drafts because they were made after their date */
function wordsOf(run: WholeRun, during: string, isLate: boolean): Words {
  const { invoiceCount, failureCount, failures, lostCustomers } = run;
  if (failureCount > 0) {
    const subject = `${failureCount === 1 ? '1 faktura' : `${failureCount} fakturaer`} ble ikke sendt`;
    const rest = failureCount - failures.length;
    const others = invoiceCount > failureCount ? ' De andre gikk som de skulle.' : '';
    return {
      subject,
      heading: subject,
      body: [
        `${during}${others} Disse ligger som utkast:`,
        facts([
          ...failures.map((failure) => ({
            label: failure.customerName ?? `Kunde ${failure.customerNumber}`,
            value: sentenceOf(reasonOf(failure), 'nb'),
          })),
          ...(rest > 0 ? [{ label: 'Og', value: `${rest} til` }] : []),
        ]),
        'Rett det som mangler, og send utkastene fra fakturalisten.',
      ],
    };
  }
  if (invoiceCount === 0) {
    return {
      subject: 'ingen å fakturere',
      heading: 'Det var ingen å fakturere',
      body: [
        `${during} Det hadde ingen mottakere da, så ingen fakturaer er laget.`,
        'Er det riktig, trenger du ikke gjøre noe.',
      ],
    };
  }
  if (lostCustomers.length > 0 && !isLate) {
    return {
      subject: 'mottakere er slettet',
      heading: 'Færre fikk faktura denne gangen',
      body: [during],
    };
  }
  const made = `${invoiceCount} utkast`;
  return {
    subject: `${made} venter på deg`,
    heading: isLate ? 'Laget etter datoen, og derfor ikke sendt' : 'Utkast venter på deg',
    body: [
      `${during} Det ble senere enn avtalt, så fakturaene er laget som ${made}.`,
      'De har dagens dato. Se over dem, og send dem fra fakturalisten.',
    ],
  };
}

const FOOTER = ['Du får denne e-posten én gang, fordi bedriften din har et fast oppdrag i Faktur.'];
