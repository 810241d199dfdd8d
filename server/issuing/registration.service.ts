import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { todayInOslo } from '../../domain/date.ts';
import { findHints, type HintDates } from '../../domain/invoice/draft-hints.ts';
import { issueDatesOn } from '../../domain/invoice/issue-dates.ts';
import { searchText } from '../../domain/search-text.ts';
import { unprintableIn } from '../../domain/printable.ts';
import type { Actor, Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { sentTypes } from '../delivery/carriers-in-use.service.ts';
import { findOtherWay } from '../einvoice/ehf-first.service.ts';
import {
  askAboutDrafts,
  keepEvidence,
  type Asked,
  type DutyReasons,
} from '../einvoice/evidence.service.ts';
import { issueDocuments } from '../document/document.repository.ts';
import {
  findAboveEstimate,
  findLastIssueDate,
  findUncommonTexts,
} from '../invoice/drafts.repository.ts';
import { authorOf, recordEvents, type NewEvent } from '../invoice/history.repository.ts';
import {
  findBuyerNames,
  findDrafts,
  type Registration,
  requireInvoice,
  saveRegistrations,
} from '../invoice/invoice.repository.ts';
import {
  advanceSeries,
  lockCompany,
  lockIssuer,
  findIssuer,
  requireIssuer,
  type Issuer,
} from '../company/profile.repository.ts';
import { AppError } from '../errors.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import {
  findReasonsAgainst,
  joined,
  judgeDrafts,
  type Numbered,
  type Outcome,
} from './registration-judging.service.ts';
import { dispatchJob } from '../platform/jobs/jobs.ts';

/** Drafts registered by one statement. All statements share one transaction. */
const BATCH = 2000;

/** The time for the network's answers while a person waits for a question (milliseconds). */
const PATIENCE_OF_QUESTION = 4000;

/** A uuid in the request that names no draft. */
interface NoDraft {
  readonly uuid: string;
  /** '' when the company has no such invoice. */
  readonly customerName: string;
  readonly reason: AppError;
}

/** The outcome for a request that may name drafts. */
export interface QueueOutcome extends Outcome {
  readonly noDrafts: readonly NoDraft[];
  /** The characters in the drafts that documents cannot show; none unless asked by `dryRun`. */
  readonly unprintable: string[];
}

const UNNAMED = { noDrafts: [], unprintable: [] };

/** The company that issues documents, and the author of the events. */
export interface Registrar {
  readonly issuer: Issuer;
  readonly author: HistoryAuthor;
  /** The network's answers about the buyers. */
  readonly asked: Asked;
}

/**
 * Registers one draft. A registered invoice stays unchanged.
 * @throws AppError not_found, profile_incomplete, recipient_without_email,
 * recipient_without_ehf, ehf_not_agreed, ehf_not_possible, delivery_type_unavailable, negative_total,
 * no_kid_left
 */
export async function queueInvoice(
  context: Context,
  actor: Actor,
  uuid: string,
): Promise<QueueOutcome> {
  const asked = await askAboutDrafts(context, actor.companyId, [uuid]);
  return context.db.transaction().execute(async (trx) => {
    await lockCompany(trx, actor.companyId);
    const draft = await requireInvoice(trx, actor.companyId, uuid);
    const issuer = await requireIssuer(trx, actor.companyId);
    if (draft.status !== 'DRAFT') {
      return { ...joined([]), ...UNNAMED };
    }
    const registrar = { issuer, author: authorOf(actor), asked };
    const outcome = await register(context, trx, registrar, [draft]);
    for (const { reason } of outcome.skipped) throw reason;
    return { ...outcome, ...UNNAMED };
  });
}

/** All reasons why a draft could not be registered now. The network is not asked, since a person waits for the draft (INV-18). */
export async function findObstacles(
  context: Pick<Context, 'config' | 'db'>,
  draft: InvoiceRow,
): Promise<readonly AppError[]> {
  const issuer = await findIssuer(context.db, draft.companyId);
  return issuer ? findReasonsAgainst(context, issuer, draft) : [new AppError('profile_incomplete')];
}

/**
 * Registers all drafts, or all named ones, in the order of creation; those that cannot be registered stay drafts and
 * are listed with their reasons (INV-13). With `dryRun` nothing is registered. @throws AppError profile_incomplete
 */
export async function queueDrafts(
  context: Context,
  actor: Actor,
  uuids: readonly string[] | null,
  { dryRun }: { readonly dryRun: boolean },
): Promise<QueueOutcome> {
  const patience = dryRun ? PATIENCE_OF_QUESTION : undefined;
  const asked = await askAboutDrafts(context, actor.companyId, uuids, patience);
  return context.db.transaction().execute(async (trx) => {
    let issuer = await (dryRun ? requireIssuer : lockIssuer)(trx, actor.companyId);
    const outcomes: Outcome[] = [];
    const author = authorOf(actor);
    const dates = dryRun ? await findHintDates(trx, actor.companyId) : null;
    let afterId = 0;
    for (;;) {
      const drafts = await findDrafts(trx, actor.companyId, { afterId, most: BATCH, uuids });
      const last = drafts.at(-1);
      if (!last) break;
      const outcome = dates
        ? await tryRegistering(context, trx, { issuer, dates, asked }, drafts)
        : await register(context, trx, { issuer, author, asked }, drafts);
      outcomes.push(outcome);
      issuer = outcome.issuer;
      afterId = last.id;
    }
    const outcome = joined(outcomes);
    const drafts = new Set([
      ...outcome.registered.map(({ uuid }) => uuid),
      ...outcome.skipped.map(({ draft }) => draft.uuid),
    ]);
    const others = [...new Set(uuids)].filter((uuid) => !drafts.has(uuid));
    const noDrafts = await findNoDrafts(trx, actor.companyId, others);
    const texts = dryRun ? await findUncommonTexts(trx, actor.companyId, uuids) : [];
    return { ...outcome, noDrafts, unprintable: [...new Set(texts.flatMap(unprintableIn))] };
  });
}

/** The days by which hints judge the drafts of a company (`findHints`). */
export async function findHintDates(db: Db, companyId: number): Promise<HintDates> {
  return {
    ...issueDatesOn(todayInOslo()),
    lastIssued: await findLastIssueDate(db, companyId),
  };
}

/** The reasons for the uuids that name no draft: unknown, or registered already. */
async function findNoDrafts(
  trx: Trx,
  companyId: number,
  uuids: readonly string[],
): Promise<NoDraft[]> {
  const names = await findBuyerNames(trx, companyId, uuids);
  return uuids.map((uuid) => {
    const customerName = names.get(uuid);
    return customerName === undefined
      ? { uuid, customerName: '', reason: new AppError('not_found') }
      : { uuid, customerName, reason: new AppError('already_registered') };
  });
}

/**
 * Numbers the drafts that can be registered, issues their documents, adds events and queues their e-mails. The caller
 * holds the issuer, so no draft changes meanwhile. Returns the issuer with its new number series and document chain.
 */
export async function register(
  context: Pick<Context, 'config' | 'jobs'>,
  trx: Trx,
  { issuer, author, asked }: Registrar,
  given: readonly InvoiceRow[],
): Promise<Outcome & { issuer: Issuer }> {
  const { companyId } = issuer;
  const judgement = await judgeDrafts(context, trx, issuer, given, asked);
  const { numbered, attachments, reasons, outcome } = judgement;
  const advanced = await numberDrafts(trx, issuer, numbered, reasons);
  const lastDocumentHash = await issueDocuments(context.config, trx, issuer, numbered, attachments);
  if (numbered.length > 0) {
    const isChanged = new Set(outcome.changed.map(({ uuid }) => uuid));
    const events = numbered.map((one) => toEvent(one, isChanged.has(one.uuid)));
    await recordEvents(trx, author, events);
    await keepEvidence(context, trx, companyId, numbered, { reasons, asked });
  }
  const sent = sentTypes(context.config);
  const isSent = numbered.some(({ deliveryType }) => sent.includes(deliveryType));
  if (isSent && context.config.dispatch === 'auto') {
    await context.jobs.enqueue(trx, dispatchJob, { companyId });
  }
  return { ...outcome, issuer: { ...advanced, lastDocumentHash } };
}

/** The outcome of `register`, as far as the drafts decide it; nothing is registered. */
async function tryRegistering(
  context: Pick<Context, 'config'>,
  db: Db,
  { issuer, dates, asked }: Pick<Registrar, 'issuer' | 'asked'> & { readonly dates: HintDates },
  given: readonly InvoiceRow[],
): Promise<Outcome & { issuer: Issuer }> {
  const { numbered, reasons, outcome } = await judgeDrafts(context, db, issuer, given, asked);
  const { lastInvoiceNumber } = issuer;
  const last = numbered.at(-1)?.invoiceNumber ?? lastInvoiceNumber;
  const vat = context.config.features.has('vat');
  const quotes = context.config.features.has('quotes')
    ? numbered.flatMap(({ sourceQuote }) => sourceQuote?.uuid ?? [])
    : [];
  const above = await findAboveEstimate(db, issuer.companyId, quotes);
  const hinted = numbered.filter((draft) => {
    const deliveryCountry = vat ? draft.deliveryCountry : null;
    const einvoiceReason = asked === null ? undefined : reasons.get(draft.id);
    const ofQuote = draft.sourceQuote && {
      isAboveEstimate: above.has(draft.sourceQuote.uuid),
      hasVat: draft.lines.some(({ vatRate }) => vatRate !== 0),
    };
    return findHints({ ...draft, deliveryCountry, einvoiceReason, ofQuote }, dates).length > 0;
  }).length;
  const otherWay = findOtherWay(numbered, { reasons, asked });
  return {
    ...outcome,
    hinted,
    otherWay,
    issuer: { ...issuer, lastInvoiceNumber: last },
  };
}

function toEvent({ companyId, id, invoiceNumber }: Numbered, isChanged: boolean): NewEvent {
  const changed = isChanged ? { deliveryChangedFrom: 'EMAIL' as const } : {};
  return { companyId, invoiceId: id, kind: 'REGISTERED', details: { invoiceNumber, ...changed } };
}

/**
 * Gives drafts their numbers, in their order, and freezes them (INV-14, INV-15). The caller holds the issuer, and must
 * issue each document before the transaction ends. Returns the issuer with its number series after these invoices.
 */
async function numberDrafts(
  trx: Trx,
  issuer: Issuer,
  numbered: readonly Numbered[],
  reasons: DutyReasons,
): Promise<Issuer> {
  const last = numbered.at(-1);
  if (!last) return issuer;
  const { invoiceNumber: lastInvoiceNumber } = last;
  await advanceSeries(trx, issuer.companyId, lastInvoiceNumber);
  const { companyId, seller } = issuer;
  const registrations = numbered.map((one) => toRegistration(one, reasons));
  await saveRegistrations(trx, companyId, seller, registrations);
  return { ...issuer, lastInvoiceNumber };
}

function toRegistration(numbered: Numbered, reasons: DutyReasons): Registration {
  const { id, invoiceNumber, kid, kidModulus, bankAccountNumber, buyer, buyerVatNumber } = numbered;
  const einvoiceReason = reasons.get(id);
  if (!einvoiceReason) throw new Error(`Draft ${id} was not judged`);
  const text = searchText(invoiceNumber, buyer.name, buyer.orgNumber, kid);
  return {
    id,
    invoiceNumber,
    kid,
    kidModulus,
    bankAccountNumber,
    buyer,
    buyerVatNumber,
    deliveryType: numbered.deliveryType,
    einvoiceReason,
    searchText: text,
  };
}
