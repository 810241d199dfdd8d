import { randomUUID } from 'node:crypto';

import { formatDate, type IsoDate } from '../../domain/date.ts';
import { describePeriod } from '../../domain/recurring/placeholders.ts';
import type { Period } from '../../domain/recurring/recurring-dates.ts';
import type { Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { AppError, type ErrorCode, sentenceOf } from '../errors.ts';
import { recurringNoticeJob } from '../platform/jobs/jobs.ts';
import {
  button,
  facts,
  paragraph,
  remark,
  renderMail,
  type Block,
  type MailContent,
} from '../platform/mail/layout.ts';
import { sendNotice } from '../platform/mail/notice.ts';
import { findOwnerAddress } from '../account/account.service.ts';
import * as assignments from './assignment.repository.ts';
import type { AssignmentRow } from './assignment.repository.ts';
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
  const assignment = await assignments.findAssignment(db, companyId, { id: assignmentId });
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
      customer: failure.customerName ?? `Kunde ${failure.customerNumber}`,
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

interface ObstacleLetter {
  readonly name: string;
  /** The first day of the period that is not made. */
  readonly date: IsoDate;
  readonly reason: string;
  readonly url: string;
}

/** Tells the owner why an assignment waits. */
function obstacleMail({ name, date, reason, url }: ObstacleLetter): MailContent {
  return renderMail({
    subject: `«${name}» venter`,
    preheader: reason,
    sender: null,
    heading: `Det faste oppdraget «${name}» venter`,
    body: [
      paragraph(`Fakturaene som skulle vært laget ${formatDate(date)}, er ikke laget ennå:`),
      paragraph(reason),
      paragraph(
        'Vi prøver igjen av oss selv når det er rettet. Blir det etter datoen, lages fakturaene som ' +
          'utkast med dagens dato, så du kan se over dem før de sendes.',
      ),
      button('Se faste oppdrag', url),
    ],
    footer: FOOTER,
  });
}

interface RunLetter {
  readonly name: string;
  readonly period: Period;
  /** Number of invoices made, including those that were not sent. */
  readonly invoices: number;
  /** Whether they stayed drafts because they were made after their date. */
  readonly isLate: boolean;
  /** The first invoices that were not sent. */
  readonly failures: readonly { readonly customer: string; readonly reason: string }[];
  readonly failureCount: number;
  /** Numbers of the first customers that were deleted since the previous run. */
  readonly lost: readonly number[];
  readonly url: string;
}

/** Tells the owner that a run made less than expected. */
function runMail(letter: RunLetter): MailContent {
  const { name, period, url } = letter;
  const { subject, heading, body } = wordsOf(letter);
  return renderMail({
    subject,
    preheader: `«${name}», ${describePeriod(period)}`,
    sender: null,
    heading,
    body: [...body, ...aboutLost(letter), button('Se faste oppdrag', url)],
    footer: FOOTER,
  });
}

interface Words {
  readonly subject: string;
  readonly heading: string;
  readonly body: readonly Block[];
}

function wordsOf(letter: RunLetter): Words {
  const { name, period, invoices, isLate } = letter;
  const during = `Det faste oppdraget «${name}» er kjørt for ${describePeriod(period)}.`;
  if (letter.failureCount > 0) return failureWords(letter, during);
  if (invoices === 0) {
    return {
      subject: `«${name}»: ingen å fakturere`,
      heading: 'Det var ingen å fakturere',
      body: [
        paragraph(`${during} Det hadde ingen mottakere da, så ingen fakturaer er laget.`),
        paragraph('Er det riktig, trenger du ikke gjøre noe.'),
      ],
    };
  }
  if (letter.lost.length > 0 && !isLate) {
    return {
      subject: `«${name}»: mottakere er slettet`,
      heading: 'Færre fikk faktura denne gangen',
      body: [paragraph(during)],
    };
  }
  const made = `${invoices} utkast`;
  return {
    subject: `«${name}»: ${made} venter på deg`,
    heading: isLate ? 'Laget etter datoen, og derfor ikke sendt' : 'Utkast venter på deg',
    body: [
      paragraph(`${during} Det ble senere enn avtalt, så fakturaene er laget som ${made}.`),
      paragraph('De har dagens dato. Se over dem, og send dem fra fakturalisten.'),
    ],
  };
}

/** The customers who are no longer recipients. */
function aboutLost({ lost }: RunLetter): Block[] {
  if (lost.length === 0) return [];
  const numbers = new Intl.ListFormat('nb').format(lost.map(String));
  return [paragraph(`Kunde ${numbers} er slettet, og får ikke lenger faktura fra oppdraget.`)];
}

function failureWords(
  { name, invoices, failures, failureCount }: RunLetter,
  during: string,
): Words {
  const notSent = failureCount === 1 ? '1 faktura' : `${failureCount} fakturaer`;
  const rest = failureCount - failures.length;
  const others = invoices > failureCount ? ' De andre gikk som de skulle.' : '';
  return {
    subject: `«${name}»: ${notSent} ble ikke sendt`,
    heading: `${notSent} ble ikke sendt`,
    body: [
      paragraph(`${during}${others} Disse ligger som utkast:`),
      facts([
        ...failures.map(({ customer, reason }) => ({ label: customer, value: reason })),
        ...(rest > 0 ? [{ label: 'Og', value: `${rest} til` }] : []),
      ]),
      paragraph('Rett det som mangler, og send utkastene fra fakturalisten.'),
    ],
  };
}

const FOOTER = [
  remark('Du får denne e-posten én gang, fordi bedriften din har et fast oppdrag i Faktur.'),
];
