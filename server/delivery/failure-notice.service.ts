import { randomUUID } from 'node:crypto';

import type { DeliveryType, RefusedAddress } from '../../domain/delivery/delivery.schema.ts';
import { readableEmail } from '../../domain/email.ts';
import type { InvoiceStatus, InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import { findNoticeAddresses } from '../account/member.service.ts';
import { findContact, findScreenUrl } from '../company/profile.service.ts';
import { findIssued } from '../invoice/undelivered.repository.ts';
import type { Context } from '../context.ts';
import { NO_OUTCOME_REASON } from './delivery-record.service.ts';
import type { Failed, UnsentNotice } from './failure-notice.repository.ts';
import * as repository from './failure-notice.repository.ts';
import type { Trx } from '../platform/db/database.ts';
import { failureNoticeJob } from '../platform/jobs/jobs.ts';
import {
  button,
  facts,
  type MailContent,
  paragraph,
  remark,
  renderNotice,
} from '../platform/mail/layout.ts';
import { sendNotice } from '../platform/mail/notice.ts';

/** Shortest time between two mails to a company (seconds; DEL-18). */
const PAUSE = 3600;
/** Most failures in one mail; the others wait for the next. */
const MOST = 1000;
/** Most deliveries that one mail lists. */
const NAMED = 20;

/** Mails the failures of one company to its owner or, with null, queues a job for each company that has some. */
export async function reportFailures(
  context: Context,
  { companyId }: { readonly companyId: number | null },
): Promise<void> {
  if (companyId !== null) return mailOwner(context, companyId);
  const companyIds = await repository.findCompaniesToNotify(context.db, PAUSE);
  const items = companyIds.map((id) => ({ payload: { companyId: id }, key: String(id) }));
  if (items.length > 0) await context.jobs.enqueueAll(context.db, failureNoticeJob, items);
}

/**
 * Mails a company's owner the deliveries that failed since the last mail. The mail is recorded before it leaves, so an
 * interrupted one leaves again with the same failures and the same Message-ID.
 */
async function mailOwner(context: Context, companyId: number): Promise<void> {
  const { db } = context;
  const notice = await db.transaction().execute(async (trx) => nextNotice(trx, companyId));
  if (!notice) return;
  const addresses = await findNoticeAddresses(context, companyId);
  if (addresses.length > 0) {
    const content = failureMail(await letterOf(context, companyId, notice));
    // If the owner's own address accepts no mail, the screen still shows the failures.
    await sendNotice(context, { companyId, addresses, key: notice.uuid }, content);
  }
  await repository.noteSent(db, companyId, notice.uuid);
}

async function nextNotice(trx: Trx, companyId: number): Promise<UnsentNotice | null> {
  const { unsent, isEarly } = await repository.lockNotice(trx, companyId, PAUSE);
  if (unsent) return unsent;
  if (isEarly) return null;
  const taken = await repository.takeUnreported(trx, companyId, MOST);
  const latest = taken.filter(({ isLatest }) => isLatest);
  const issued = await findIssued(
    trx,
    companyId,
    latest.map(({ invoiceId }) => invoiceId),
  );
  const failed = latest.filter((one) => concernsOwner(one, issued.get(one.invoiceId)?.status));
  if (failed.length === 0) return null;
  const notice = { uuid: randomUUID(), deliveryIds: failed.map(({ id }) => id) };
  await repository.saveUnsent(trx, companyId, notice);
  return notice;
}

/**
 * Whether the owner must know of a failure: not for an invoice that was paid or cancelled meanwhile, unless the owner
 * sent the paid invoice by hand.
 */
function concernsOwner(
  { forced, reminderPrincipal }: Failed,
  status: InvoiceStatus | undefined,
): boolean {
  return status === 'REGISTERED' || (status === 'PAID' && forced && reminderPrincipal === null);
}

async function letterOf(context: Context, companyId: number, { deliveryIds }: UnsentNotice) {
  const { db } = context;
  const named = deliveryIds.slice(0, NAMED);
  const reasons = await repository.findReasons(db, companyId, named);
  const issued = await findIssued(
    db,
    companyId,
    reasons.map(({ invoiceId }) => invoiceId),
  );
  const failures = reasons.flatMap((row) => {
    const { invoiceId, status, refused, unreached, failureReason, reminderPrincipal, ...rest } =
      row;
    const invoice = issued.get(invoiceId);
    const isReminder = reminderPrincipal !== null;
    const isPartly = status !== 'FAILED' && unreached.length > 0;
    const reason = isPartly ? reasonsOf(refused, unreached) : (failureReason ?? NO_OUTCOME_REASON);
    return invoice ? [{ ...invoice, ...rest, isReminder, isPartly, reason }] : [];
  });
  const many = deliveryIds.length;
  const { name: company } = await findContact(db, companyId);
  const url = await findScreenUrl(context, companyId, pathTo(failures, many));
  return { company, failures, many, url };
}

/** The addresses that failed for good while another got it, each with its reason (DEL-23). */
function reasonsOf(refused: readonly RefusedAddress[], unreached: readonly string[]): string {
  return refused
    .filter(({ address }) => unreached.includes(address))
    .map(({ address, reason }) => `${readableEmail(address)}: ${reason}`)
    .join(' ');
}

interface Named {
  readonly invoiceNumber: number;
  readonly status: InvoiceStatus;
  readonly isReminder: boolean;
}

/** The page that shows the failures. The list of failed invoices has no reminders and no paid invoices. */
function pathTo(failures: readonly Named[], many: number): string {
  if (failures.some(({ isReminder, status }) => !isReminder && status !== 'PAID')) {
    return '/invoices/?status=FAILED';
  }
  const [failure] = failures;
  if (failure && many === 1) return `/invoices/${failure.invoiceNumber}/`;
  const isOfReminders = failures.every(({ isReminder }) => isReminder);
  return isOfReminders ? '/invoices/?status=OVERDUE' : '/invoices/';
}

interface Failure {
  readonly kind: InvoiceKind;
  /** Whether a reminder of the invoice failed. */
  readonly isReminder: boolean;
  readonly invoiceNumber: number;
  readonly customerName: string;
  readonly deliveryType: DeliveryType;
  /** Whether others of its addresses got it, or still may. */
  readonly isPartly: boolean;
  /** Whether it was sent and may have been read, such as a mail reported as spam. */
  readonly hasArrived: boolean;
  /** Whether it is an EHF that after days is neither confirmed nor refused. */
  readonly isUnconfirmed: boolean;
  readonly reason: string;
}

interface FailureLetter {
  readonly company: string | null;
  readonly failures: readonly Failure[];
  readonly many: number;
  /** The page that shows them. */
  readonly url: string;
}

/** The mail about deliveries that failed. */
function failureMail({ company, failures, many, url }: FailureLetter): MailContent {
  const [one, several] = nounsFor(failures);
  const count = many === 1 ? `1 ${one}` : `${many} ${several}`;
  const isSent = failures.length > 0 && failures.every(({ hasArrived }) => hasArrived);
  const isPartly = failures.some((failure) => failure.isPartly);
  const isOpen = failures.length > 0 && failures.every(({ isUnconfirmed }) => isUnconfirmed);
  const isPartlyOpen = failures.some(({ isUnconfirmed }) => isUnconfirmed);
  const heading = isOpen
    ? `Vi vet ikke om ${count} kom fram`
    : isSent || isPartlyOpen || isPartly
      ? `Noe er i veien med ${count}`
      : `${count} kom ikke fram`;
  const rest = many - failures.length;
  return renderNotice(company, {
    subject: heading,
    preheader: failures.map(({ customerName }) => customerName).join(', '),
    heading,
    body: [
      paragraph(
        isOpen
          ? `${many === 1 ? 'Den' : 'De'} ble sendt som EHF for over tre dager siden:`
          : `${whatHappened(failures, many)}, og blir ikke sendt igjen av seg selv:`,
      ),
      facts([
        ...failures.map((failure) => ({
          label: `${nameOf(failure)} ${failure.invoiceNumber}`,
          value: `${failure.customerName}: ${failure.reason}`,
        })),
        ...(rest > 0 ? [{ label: 'Og', value: `${rest} til` }] : []),
      ]),
      paragraph(
        isOpen
          ? 'Spør kunden om EHF-en har kommet. Har den ikke det, kan du sende den på e-post.'
          : adviceOn(failures),
      ),
      button('Se hva som feilet', url),
    ],
    footer: [
      remark('Du får denne e-posten høyst én gang i timen, når noe ikke kan leveres fra Faktur.'),
    ],
  });
}

function whatHappened(failures: readonly Failure[], many: number): string {
  if (failures.every(({ isPartly }) => isPartly)) {
    return `${many === 1 ? 'Den' : 'De'} kom ikke fram til alle adressene`;
  }
  const [one, several] = failures.every(({ hasArrived }) => hasArrived)
    ? ['Den ble sendt', 'De ble sendt']
    : failures.some(({ hasArrived, isPartly }) => hasArrived || isPartly)
      ? ['Den ble ikke levert', 'Noe av dette ble ikke levert']
      : ['Den ble ikke levert til kunden', 'De ble ikke levert til kundene'];
  return many === 1 ? one : several;
}

/** Advice to the owner. The document cannot be changed, and one that arrived need not be sent again. */
function adviceOn(failures: readonly Failure[]): string {
  const lost = failures.filter(({ hasArrived }) => !hasArrived);
  const isMended = ({ deliveryType }: Failure) => deliveryType !== 'EHF';
  const advice = [
    ...(lost.some(isMended) ? ['Rett adressen hos kunden, og send på nytt.'] : []),
    ...(lost.every(isMended) ? [] : ['Det som ikke gikk som EHF, kan sendes på e-post.']),
    ...(lost.length === 0
      ? ['Avtal med kunden hvordan det skal komme fram.']
      : ['Eller gi kunden den som PDF.']),
  ];
  return advice.join(' ');
}

function nameOf({ kind, isReminder }: Failure): string {
  if (isReminder) return 'Purring på faktura';
  return kind === 'INVOICE' ? 'Faktura' : 'Kreditnota';
}

function nounsFor(failures: readonly Failure[]): readonly [one: string, several: string] {
  if (failures.length > 0 && failures.every(({ isReminder }) => isReminder)) {
    return ['purring', 'purringer'];
  }
  if (failures.some(({ isReminder }) => isReminder)) return ['forsendelse', 'forsendelser'];
  return failures.length > 0 && failures.every(({ kind }) => kind === 'CREDIT_NOTE')
    ? ['kreditnota', 'kreditnotaer']
    : ['faktura', 'fakturaer'];
}
