import { randomUUID } from 'node:crypto';

import type { DeliveryType, RefusedAddress } from '../../domain/delivery/delivery.schema.ts';
import { readableEmail } from '../../domain/email.ts';
import type { InvoiceStatus, InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import { notifyCompany } from '../account/company-notice.service.ts';
import type { QuoteDocument } from '../../domain/quote/quote-document.ts';
import { findIssued } from '../invoice/undelivered.repository.ts';
import type { Context } from '../context.ts';
import { NO_OUTCOME_REASON } from './delivery-record.service.ts';
import type { Failed, UnsentNotice } from './failure-notice.repository.ts';
import * as repository from './failure-notice.repository.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { failureNoticeJob } from '../platform/jobs/jobs.ts';
import { button, facts, type Letter } from '../platform/mail/layout.ts';

/** Shortest time between two mails to a company (seconds; DEL-18). */
const PAUSE = 3600;
/** Most failures in one mail; the others wait for the next. */
const MOST = 1000;
/** Most deliveries that one mail lists. */
const NAMED = 20;

/** A mail that failed and is no invoice's. */
export interface OtherFailure extends Pick<Failure, 'customerName' | 'isPartly' | 'reason'> {
  readonly kind: QuoteDocument['kind'];
  readonly number: number;
  /** The page that shows it. */
  readonly path: string;
}

/** Failures that are no deliveries of invoices, and are told in the same mail. */
export interface OtherFailures {
  /** The companies that were not told of some. */
  findCompanies(db: Db): Promise<number[]>;
  /** Takes the next ones that a company was not told of. Returns the ids of those that still matter. */
  take(trx: Trx, companyId: number, most: number): Promise<number[]>;
  describe(db: Db, companyId: number, ids: readonly number[]): Promise<OtherFailure[]>;
}

/** Mails the failures of one company to its owner or, with null, queues a job for each company that has some. */
export async function reportFailures(
  context: Context,
  { companyId }: { readonly companyId: number | null },
  others: OtherFailures,
): Promise<void> {
  if (companyId !== null) return mailOwner(context, companyId, others);
  const withOthers = await others.findCompanies(context.db);
  const companyIds = await repository.findCompaniesToNotify(context.db, PAUSE, withOthers);
  const items = companyIds.map((id) => ({ payload: { companyId: id }, key: String(id) }));
  if (items.length > 0) await context.jobs.enqueueAll(context.db, failureNoticeJob, items);
}

/**
 * Mails a company's owner the deliveries that failed since the last mail. The mail is recorded before it leaves, so an
 * interrupted one leaves again with the same failures and the same Message-ID.
 */
async function mailOwner(
  context: Context,
  companyId: number,
  others: OtherFailures,
): Promise<void> {
  const { db } = context;
  const notice = await db.transaction().execute(async (trx) => nextNotice(trx, companyId, others));
  if (!notice) return;
  const { failures, many } = await describe(db, companyId, notice, others);
  // If the owner's own address accepts no mail, the screen still shows the failures.
  await notifyCompany(
    context,
    { companyId, to: 'COMPANY', key: notice.uuid, path: pathTo(failures, many) },
    (url) => failureMail(failures, many, url),
  );
  await repository.noteSent(db, companyId, notice.uuid);
}

async function nextNotice(
  trx: Trx,
  companyId: number,
  others: OtherFailures,
): Promise<UnsentNotice | null> {
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
  const quoteDeliveryIds = await others.take(trx, companyId, MOST);
  if (failed.length + quoteDeliveryIds.length === 0) return null;
  const deliveryIds = failed.map(({ id }) => id);
  const notice = { uuid: randomUUID(), deliveryIds, quoteDeliveryIds };
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

/** The failures that the mail lists, and how many there are. */
async function describe(
  db: Db,
  companyId: number,
  { deliveryIds, quoteDeliveryIds }: UnsentNotice,
  others: OtherFailures,
): Promise<{ readonly failures: readonly (Failure & Named)[]; readonly many: number }> {
  const named = deliveryIds.slice(0, NAMED);
  const ofInvoices = await findFailures(db, companyId, named);
  const otherIds = quoteDeliveryIds.slice(0, NAMED - named.length);
  const ofOthers = await others.describe(db, companyId, otherIds);
  const failures = [
    ...ofInvoices,
    ...ofOthers.map((failure) => Object.assign(failure, ONLY_OF_INVOICES)),
  ];
  return { failures, many: deliveryIds.length + quoteDeliveryIds.length };
}

/** The properties that only deliveries of invoices have. */
const ONLY_OF_INVOICES = {
  status: null,
  isReminder: false,
  deliveryType: 'EMAIL',
  hasArrived: false,
  isUnconfirmed: false,
} as const;

async function findFailures(
  db: Db,
  companyId: number,
  named: readonly number[],
): Promise<(Failure & Named)[]> {
  const reasons = await repository.findReasons(db, companyId, named);
  const issued = await findIssued(
    db,
    companyId,
    reasons.map(({ invoiceId }) => invoiceId),
  );
  return reasons.flatMap((row) => {
    const { invoiceId, status, refused, unreached, failureReason, reminderPrincipal, ...rest } =
      row;
    const invoice = issued.get(invoiceId);
    const isReminder = reminderPrincipal !== null;
    const isPartly = status !== 'FAILED' && unreached.length > 0;
    const ofUnreached = refused.filter(({ address }) => unreached.includes(address));
    const reason = isPartly ? reasonsOf(ofUnreached) : (failureReason ?? NO_OUTCOME_REASON);
    if (!invoice) return [];
    const { invoiceNumber: number, ...issuedAs } = invoice;
    const path = `/invoices/${number}/`;
    return [{ ...issuedAs, ...rest, number, path, isReminder, isPartly, reason }];
  });
}

/** The addresses that failed for good while another got it, each with its reason (DEL-23). */
export function reasonsOf(failed: readonly RefusedAddress[]): string {
  return failed.map(({ address, reason }) => `${readableEmail(address)}: ${reason}`).join(' ');
}

interface Named extends Pick<Failure, 'kind' | 'isReminder'> {
  /** Null of what is no invoice. */
  readonly status: InvoiceStatus | null;
  readonly path: string;
}

/** The page that shows the failures. The list of failed invoices has no reminders, no paid invoices and no quotes. */
function pathTo(failures: readonly Named[], many: number): string {
  const isListed = ({ isReminder, status }: Named) =>
    !isReminder && status !== 'PAID' && status !== null;
  if (failures.some(isListed)) return '/invoices/?status=FAILED';
  const [failure] = failures;
  if (failure && many === 1) return failure.path;
  if (failure && failures.every(({ status }) => status === null)) return '/quotes/';
  const isOfReminders = failures.every(({ isReminder }) => isReminder);
  return isOfReminders ? '/invoices/?status=OVERDUE' : '/invoices/';
}

interface Failure {
  readonly kind: InvoiceKind | QuoteDocument['kind'];
  /** Whether a reminder of the invoice failed. */
  readonly isReminder: boolean;
  /** The number of the invoice or the quote. */
  readonly number: number;
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

/** The mail about deliveries that failed. @param url the page that shows them */
function failureMail(failures: readonly Failure[], many: number, url: string): Letter {
  const [one, several] = nounsFor(failures);
  const count = many === 1 ? `1 ${one}` : `${many} ${several}`;
  const isSent = failures.length > 0 && failures.every(({ hasArrived }) => hasArrived);
  const isPartly = failures.some((failure) => failure.isPartly);
  const isOpen = failures.length > 0 && failures.every(({ isUnconfirmed }) => isUnconfirmed);
  const isPartlyOpen = failures.some(({ isUnconfirmed }) => isUnconfirmed);
  const subject = isOpen
    ? `Vi vet ikke om ${count} kom fram`
    : isSent || isPartlyOpen || isPartly
      ? `Noe er i veien med ${count}`
      : `${count} kom ikke fram`;
  const rest = many - failures.length;
  return {
    subject,
    preheader: failures.map(({ customerName }) => customerName).join(', '),
    body: [
      isOpen
        ? `${many === 1 ? 'Den' : 'De'} ble sendt som EHF for over tre dager siden:`
        : `${whatHappened(failures, many)}, og blir ikke sendt igjen av seg selv:`,
      facts([
        ...failures.map((failure) => ({
          label: `${NAMES[kindOf(failure)]} ${failure.number}`,
          value: `${failure.customerName}: ${failure.reason}`,
        })),
        ...(rest > 0 ? [{ label: 'Og', value: `${rest} til` }] : []),
      ]),
      isOpen
        ? 'Spør kunden om EHF-en har kommet. Har den ikke det, kan du sende den på e-post.'
        : adviceOn(failures),
      button('Se hva som feilet', url),
    ],
    footer: ['Du får denne e-posten høyst én gang i timen, når noe ikke kan leveres fra Faktur.'],
  };
}

function whatHappened(failures: readonly Failure[], many: number): string {
  const it = itOf(failures) === 'det' ? 'Det' : 'Den';
  if (failures.every(({ isPartly }) => isPartly)) {
    return `${many === 1 ? it : 'De'} kom ikke fram til alle adressene`;
  }
  const [one, several] = failures.every(({ hasArrived }) => hasArrived)
    ? [`${it} ble sendt`, 'De ble sendt']
    : failures.some(({ hasArrived, isPartly }) => hasArrived || isPartly)
      ? [`${it} ble ikke levert`, 'Noe av dette ble ikke levert']
      : [`${it} ble ikke levert til kunden`, 'De ble ikke levert til kundene'];
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
      : [`Eller gi kunden ${itOf(lost)} som PDF.`]),
  ];
  return advice.join(' ');
}

/** The kind of the failed document; a reminder has the kind of its invoice. */
const kindOf = ({ kind, isReminder }: Failure) => (isReminder ? 'REMINDER' : kind);

const NAMES = {
  INVOICE: 'Faktura',
  CREDIT_NOTE: 'Kreditnota',
  REMINDER: 'Purring på faktura',
  QUOTE: 'Tilbud',
  ORDER_CONFIRMATION: 'Ordrebekreftelse på tilbud',
};

const NOUNS = {
  INVOICE: ['faktura', 'fakturaer'],
  CREDIT_NOTE: ['kreditnota', 'kreditnotaer'],
  REMINDER: ['purring', 'purringer'],
  QUOTE: ['tilbud', 'tilbud'],
  ORDER_CONFIRMATION: ['ordrebekreftelse', 'ordrebekreftelser'],
} as const;

function nounsFor(failures: readonly Failure[]): readonly [one: string, several: string] {
  const [kind = 'INVOICE', ...others] = new Set(failures.map(kindOf));
  if (others.length === 0) return NOUNS[kind];
  const areInvoices = [kind, ...others].every((one) => one === 'INVOICE' || one === 'CREDIT_NOTE');
  return areInvoices ? NOUNS.INVOICE : ['forsendelse', 'forsendelser'];
}

/** The pronoun of one of them. */
const itOf = (failures: readonly Failure[]) =>
  failures.length > 0 && failures.every(({ kind }) => kind === 'QUOTE') ? 'det' : 'den';
