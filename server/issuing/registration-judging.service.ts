import type { QueueResult } from '../../domain/invoice/invoice-bulk.schema.ts';
import { makeAgreedKid, makeKid } from '../../domain/kid.ts';
import { oreToKroner, sumKroner } from '../../domain/money.ts';
import type { KidAgreement } from '../../domain/profile/kid-agreement.schema.ts';
import type { Issuer } from '../company/profile.repository.ts';
import { kidAgreementInForce } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { judgeDeliveries } from '../delivery/carriers-in-use.service.ts';
import { findAttachmentsOf, type Attachments } from '../document/attachment.repository.ts';
import { findSizeObstacle } from '../document/attachment.service.ts';
import { asKnownToGo, asTheyGo, changedIn } from '../einvoice/ehf-first.service.ts';
import { findDutyReasons, type Asked, type DutyReasons } from '../einvoice/evidence.service.ts';
import { AppError } from '../errors.ts';
import { findTakenKids } from '../invoice/invoice.repository.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import {
  buyerVatNumberOf,
  findBuyersVat,
  findVatObstacle,
  type BuyersVat,
} from '../invoice/vat-needs.service.ts';
import type { Db } from '../platform/db/database.ts';

/** A draft that was not registered. */
interface Skipped {
  readonly draft: InvoiceRow;
  readonly reason: AppError;
}

export interface Numbered extends InvoiceRow {
  readonly invoiceNumber: number;
}

/** The registered invoices, the skipped drafts, and the sums of what was registered. */
export interface Outcome {
  readonly registered: QueueResult['registered'];
  /** Those of them that were drafts for e-mail, and go as EHF. */
  readonly changed: NonNullable<QueueResult['changed']>;
  readonly skipped: readonly Skipped[];
  readonly queueable: NonNullable<QueueResult['queueable']>;
  /** How many of them go as EHF. */
  readonly asEhf: number;
  /** How many drafts have hints; none unless it is a trial. */
  readonly hinted: number;
  /** The numbers of customers who can receive EHF, and would get theirs another way; none unless it is a trial. */
  readonly otherWay: readonly number[];
}

/** The verdict on drafts. */
interface Judgement {
  /** Those that can be registered, as they go, with their numbers. */
  readonly numbered: readonly Numbered[];
  readonly attachments: Attachments;
  readonly reasons: DutyReasons;
  readonly outcome: Outcome;
}

/** Judges which drafts can be registered now, and gives these their numbers. Saves nothing. */
export async function judgeDrafts(
  context: Pick<Context, 'config'>,
  db: Db,
  issuer: Issuer,
  given: readonly InvoiceRow[],
  asked: Asked,
): Promise<Judgement> {
  const drafts = await asTheyGo(context, db, issuer, given, asked);
  const rules = await readRules(context, db, issuer, drafts);
  const { obstacles, kidAgreement, buyers, attachments } = rules;
  const judged = drafts.map((draft, index) => ({
    draft,
    reason: obstacles[index] ?? reasonsAgainst(draft, issuer, rules)[0] ?? null,
  }));
  const refused = judged.flatMap(({ draft, reason }) => (reason ? [{ draft, reason }] : []));
  const accepted = judged
    .filter(({ reason }) => reason === null)
    .map(({ draft }) => Object.assign(draft, { buyerVatNumber: buyerVatNumberOf(draft, buyers) }));
  const inSeries = inOrder(issuer, accepted, kidAgreement);
  const withKid = await countWithKid(db, issuer.companyId, inSeries);
  const subject = inSeries[withKid]?.invoiceNumber;
  const withoutKid = accepted
    .slice(withKid)
    .map((draft) => ({ draft, reason: new AppError('no_kid_left', { subject }) }));
  const numbered = inSeries.slice(0, withKid);
  return {
    numbered,
    attachments,
    reasons: await findDutyReasons(context, db, issuer.companyId, numbered),
    outcome: outcomeOf(given, numbered, [...refused, ...withoutKid]),
  };
}

/** All reasons why a draft could not be registered as the next one. The network is not asked (INV-18). */
export async function findReasonsAgainst(
  context: Pick<Context, 'config' | 'db'>,
  issuer: Issuer,
  draft: InvoiceRow,
): Promise<AppError[]> {
  const { db } = context;
  const going = await asKnownToGo(context, issuer, draft);
  const rules = await readRules(context, db, issuer, [going]);
  const inSeries = inOrder(issuer, [going], rules.kidAgreement);
  const hasKid = (await countWithKid(db, issuer.companyId, inSeries)) > 0;
  const subject = inSeries[0]?.invoiceNumber;
  const withoutKid = hasKid ? null : new AppError('no_kid_left', { subject });
  return [...rules.obstacles, ...reasonsAgainst(going, issuer, rules), withoutKid].filter(
    (reason) => reason !== null,
  );
}

/** The conditions for registering drafts. */
interface Rules {
  readonly config: Context['config'];
  readonly buyers: BuyersVat;
  /** Per draft, in their order: why its delivery type is impossible, or null. */
  readonly obstacles: readonly (AppError | null)[];
  readonly attachments: Attachments;
  readonly kidAgreement: KidAgreement | null;
}

/** Reads the conditions for registering these drafts. */
async function readRules(
  context: Pick<Context, 'config'>,
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<Rules> {
  const { companyId } = issuer;
  const ids = drafts.map(({ id }) => id);
  return {
    config: context.config,
    buyers: await findBuyersVat(db, companyId, drafts),
    obstacles: await judgeDeliveries(context, db, issuer, drafts),
    attachments: await findAttachmentsOf(db, companyId, ids),
    kidAgreement: kidAgreementInForce(context.config, issuer),
  };
}

/** The reasons why a draft cannot be registered: INV-12, VAT-5, VAT-6, DOC-28. */
function reasonsAgainst(
  draft: InvoiceRow,
  { seller }: Issuer,
  { config, buyers, attachments }: Rules,
): AppError[] {
  const files = attachments.get(draft.id);
  return [
    draft.grossAmount < 0 ? new AppError('negative_total') : null,
    findVatObstacle(config, draft, seller.vatRegistered, buyers),
    files && draft.deliveryType === 'EMAIL' ? findSizeObstacle(draft, files) : null,
  ].filter((reason) => reason !== null);
}

/** Drafts with the next numbers of the series, and the account and KID to pay each with. */
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

/** The outcome of registering these drafts. @param given the drafts as they were before */
function outcomeOf(
  given: readonly InvoiceRow[],
  numbered: readonly Numbered[],
  skipped: readonly Skipped[],
): Outcome {
  return {
    registered: numbered.map(({ uuid, invoiceNumber }) => ({ uuid, invoiceNumber })),
    changed: changedIn(given, numbered),
    skipped,
    queueable: sumOf(
      numbered.map(({ deliveryType, grossAmount }) => ({
        drafts: 1,
        emails: deliveryType === 'EMAIL' ? 1 : 0,
        grossAmount: oreToKroner(grossAmount),
      })),
    ),
    asEhf: numbered.filter(({ deliveryType }) => deliveryType === 'EHF').length,
    hinted: 0,
    otherWay: [],
  };
}

/** The outcome of several statements; of none, that nothing was done. */
export function joined(parts: readonly Outcome[]): Outcome {
  return {
    registered: parts.flatMap(({ registered }) => registered),
    changed: parts.flatMap(({ changed }) => changed),
    skipped: parts.flatMap(({ skipped }) => skipped),
    queueable: sumOf(parts.map(({ queueable }) => queueable)),
    asEhf: parts.reduce((sum, { asEhf }) => sum + asEhf, 0),
    hinted: parts.reduce((sum, { hinted }) => sum + hinted, 0),
    otherWay: [...new Set(parts.flatMap(({ otherWay }) => otherWay))],
  };
}

function sumOf(parts: readonly Outcome['queueable'][]): Outcome['queueable'] {
  return {
    drafts: parts.reduce((sum, { drafts }) => sum + drafts, 0),
    emails: parts.reduce((sum, { emails }) => sum + emails, 0),
    grossAmount: sumKroner(parts.map(({ grossAmount }) => grossAmount)),
  };
}
