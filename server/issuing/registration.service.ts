import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { QueueResult } from '../../domain/invoice/invoice.schema.ts';
import { makeAgreedKid, makeKid } from '../../domain/kid.ts';
import type { KidAgreement } from '../../domain/profile/kid-agreement.schema.ts';
import { searchText } from '../../domain/search-text.ts';
import type { Actor, Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { lookUpReceivers, sentTypes } from '../delivery/carriers-in-use.service.ts';
import { issueDocuments } from '../document/document.repository.ts';
import { authorOf, recordEvents, type NewEvent } from '../invoice/history.repository.ts';
import {
  findBuyerNames,
  findDrafts,
  findTakenKids,
  type Registration,
  requireInvoice,
  saveRegistrations,
} from '../invoice/invoice.repository.ts';
import {
  advanceSeries,
  lockCompany,
  lockIssuer,
  requireIssuer,
  type Issuer,
} from '../company/profile.repository.ts';
import { AppError } from '../errors.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { buyerVatNumberOf } from '../invoice/vat-needs.service.ts';
import { readRules, reasonsAgainst, type RegistrationRules } from './registration-rules.ts';
import { dispatchJob } from '../platform/jobs/jobs.ts';

/** Drafts registered by one statement. All statements share one transaction. */
const BATCH = 2000;

/** The registered invoices and the skipped drafts. */
export interface Outcome {
  readonly registered: QueueResult['registered'];
  readonly skipped: readonly Skipped[];
}

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
}

/** The company that issues documents, and the author of the events. */
export interface Registrar {
  readonly issuer: Issuer;
  readonly author: HistoryAuthor;
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
  await lookUpReceivers(context, actor.companyId, [uuid]);
  return context.db.transaction().execute(async (trx) => {
    await lockCompany(trx, actor.companyId);
    const draft = await requireInvoice(trx, actor.companyId, uuid);
    const issuer = await requireIssuer(trx, actor.companyId);
    if (draft.status !== 'DRAFT') return { registered: [], skipped: [], noDrafts: [] };
    const outcome = await register(context, trx, { issuer, author: authorOf(actor) }, [draft]);
    for (const { reason } of outcome.skipped) throw reason;
    return { ...outcome, noDrafts: [] };
  });
}

/** All reasons why a draft could not be registered now. The network is not asked, since a person waits for the draft (INV-18). */
export async function findObstacles(
  context: Pick<Context, 'config' | 'db'>,
  draft: InvoiceRow,
): Promise<readonly AppError[]> {
  const { db } = context;
  const issuer = await requireIssuer(db, draft.companyId).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  if (issuer instanceof AppError) return [issuer];
  const rules = await readRules(context, db, issuer, [draft]);
  return findReasonsAgainst(db, issuer, draft, rules);
}

/**
 * Registers all drafts, or all named ones, in the order of creation; those that cannot be registered stay drafts and
 * are listed with their reasons (INV-13). @throws AppError profile_incomplete
 */
export async function queueDrafts(
  context: Context,
  actor: Actor,
  uuids: readonly string[] | null,
): Promise<QueueOutcome> {
  await lookUpReceivers(context, actor.companyId, uuids);
  return context.db.transaction().execute(async (trx) => {
    let issuer = await lockIssuer(trx, actor.companyId);
    const registered: QueueResult['registered'] = [];
    const skipped: Skipped[] = [];
    const author = authorOf(actor);
    let afterId = 0;
    for (;;) {
      const drafts = await findDrafts(trx, actor.companyId, { afterId, most: BATCH, uuids });
      const last = drafts.at(-1);
      if (!last) break;
      const outcome = await register(context, trx, { issuer, author }, drafts);
      registered.push(...outcome.registered);
      skipped.push(...outcome.skipped);
      issuer = outcome.issuer;
      afterId = last.id;
    }
    const drafts = new Set([
      ...registered.map(({ uuid }) => uuid),
      ...skipped.map(({ draft }) => draft.uuid),
    ]);
    const others = [...new Set(uuids)].filter((uuid) => !drafts.has(uuid));
    const noDrafts = await findNoDrafts(trx, actor.companyId, others);
    return { registered, skipped, noDrafts };
  });
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
  { issuer, author }: Registrar,
  drafts: readonly InvoiceRow[],
): Promise<Outcome & { issuer: Issuer }> {
  const { companyId } = issuer;
  const rules = await readRules(context, trx, issuer, drafts);
  const { numbered, skipped, issuer: advanced } = await numberDrafts(trx, issuer, drafts, rules);
  const lastDocumentHash = await issueDocuments(
    context.config,
    trx,
    issuer,
    numbered,
    rules.attachments,
  );
  if (numbered.length > 0) {
    await recordEvents(trx, author, numbered.map(toEvent));
  }
  const sent = sentTypes(context.config);
  const isSent = numbered.some(({ deliveryType }) => sent.includes(deliveryType));
  if (isSent && context.config.dispatch === 'auto') {
    await context.jobs.enqueue(trx, dispatchJob, { companyId });
  }
  const registered = numbered.map(({ uuid, invoiceNumber }) => ({ uuid, invoiceNumber }));
  return { registered, skipped, issuer: { ...advanced, lastDocumentHash } };
}

function toEvent({ companyId, id, invoiceNumber }: Numbered): NewEvent {
  return { companyId, invoiceId: id, kind: 'REGISTERED', details: { invoiceNumber } };
}

/** A draft that was not registered. */
interface Skipped {
  readonly draft: InvoiceRow;
  readonly reason: AppError;
}

interface Numbered extends InvoiceRow {
  readonly invoiceNumber: number;
}

interface Numbering {
  /** Ordered by number. */
  readonly numbered: readonly Numbered[];
  readonly skipped: readonly Skipped[];
  /** With its number series after these invoices. */
  readonly issuer: Issuer;
}

/**
 * Gives the next numbers to the drafts that can be registered, in their order, and freezes them (INV-14, INV-15). The caller holds
 * the issuer, and must issue each document before the transaction ends.
 */
async function numberDrafts(
  trx: Trx,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
  rules: RegistrationRules,
): Promise<Numbering> {
  const { obstacles, kidAgreement, buyers } = rules;
  const judged = drafts.map((draft, index) => ({
    draft,
    reason: obstacles[index] ?? reasonsAgainst(draft, issuer, rules)[0] ?? null,
  }));
  const refused = judged.flatMap(({ draft, reason }) => (reason ? [{ draft, reason }] : []));
  const accepted = judged
    .filter(({ reason }) => reason === null)
    .map(({ draft }) => Object.assign(draft, { buyerVatNumber: buyerVatNumberOf(draft, buyers) }));
  const inSeries = inOrder(issuer, accepted, kidAgreement);
  const withKid = await countWithKid(trx, issuer.companyId, inSeries);
  const subject = inSeries[withKid]?.invoiceNumber;
  const withoutKid = accepted
    .slice(withKid)
    .map((draft) => ({ draft, reason: new AppError('no_kid_left', { subject }) }));
  const skipped = [...refused, ...withoutKid];
  const numbered = inSeries.slice(0, withKid);
  const last = numbered.at(-1);
  if (!last) return { numbered, skipped, issuer };
  const { invoiceNumber: lastInvoiceNumber } = last;
  await advanceSeries(trx, issuer.companyId, lastInvoiceNumber);
  const { companyId, seller } = issuer;
  await saveRegistrations(trx, companyId, seller, numbered.map(toRegistration));
  return { numbered, skipped, issuer: { ...issuer, lastInvoiceNumber } };
}

/** All reasons why a draft cannot be registered as the next one. */
async function findReasonsAgainst(
  db: Db,
  issuer: Issuer,
  draft: InvoiceRow,
  rules: RegistrationRules,
): Promise<AppError[]> {
  const { obstacles, kidAgreement } = rules;
  const inSeries = inOrder(issuer, [draft], kidAgreement);
  const hasKid = (await countWithKid(db, issuer.companyId, inSeries)) > 0;
  const subject = inSeries[0]?.invoiceNumber;
  const withoutKid = hasKid ? null : new AppError('no_kid_left', { subject });
  return [...obstacles, ...reasonsAgainst(draft, issuer, rules), withoutKid].filter(
    (reason) => reason !== null,
  );
}

function inOrder(
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
  agreement: KidAgreement | null,
): Numbered[] {
  const { lastInvoiceNumber, startInvoiceNumber, seller, bankAccountNumber } = issuer;
  const first = lastInvoiceNumber === null ? startInvoiceNumber : lastInvoiceNumber + 1;
  return drafts.map((draft, index) => {
    const invoiceNumber = first + index;
    const customer = draft.buyer.customerNumber;
    const payee =
      draft.kind === 'INVOICE'
        ? payeeOf(agreement, { bankAccountNumber, customer, invoiceNumber })
        : { bankAccountNumber, kid: null, kidModulus: null };
    return { ...draft, ...payee, invoiceNumber, seller, status: 'REGISTERED' };
  });
}

type Payee = Pick<InvoiceRow, 'bankAccountNumber' | 'kid' | 'kidModulus'>;

interface Payable {
  readonly bankAccountNumber: string;
  readonly customer: number;
  readonly invoiceNumber: number;
}

/** The account and the KID to pay with; the KID is null when the agreement has no room for the number (KID-5, KID-6). */
function payeeOf(
  agreement: KidAgreement | null,
  { bankAccountNumber, customer, invoiceNumber }: Payable,
): Payee {
  if (!agreement) {
    return { bankAccountNumber, kid: makeKid(customer, invoiceNumber), kidModulus: null };
  }
  const { account, modulus } = agreement;
  const kid = makeAgreedKid(agreement, customer, invoiceNumber);
  return { bankAccountNumber: account, kid, kidModulus: modulus };
}

/**
 * How many of these, from the first, have a unique KID. The first without one ends the numbering: a skipped number
 * would be given to the next draft, which would get the same KID.
 */
async function countWithKid(
  db: Db,
  companyId: number,
  numbered: readonly Numbered[],
): Promise<number> {
  const agreed = numbered.filter(({ kidModulus }) => kidModulus !== null);
  if (agreed.length === 0) return numbered.length;
  const taken = await findTakenKids(db, companyId, agreed);
  const without = numbered.findIndex(
    ({ kid, kidModulus }) => kidModulus !== null && (kid === null || taken.has(kid)),
  );
  return without < 0 ? numbered.length : without;
}

function toRegistration(numbered: Numbered): Registration {
  const { id, invoiceNumber, kid, kidModulus, bankAccountNumber, buyer, buyerVatNumber } = numbered;
  const text = searchText(invoiceNumber, buyer.name, buyer.orgNumber, kid);
  return {
    id,
    invoiceNumber,
    kid,
    kidModulus,
    bankAccountNumber,
    buyer,
    buyerVatNumber,
    searchText: text,
  };
}
