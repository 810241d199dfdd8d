import type { InvoiceDocument } from '../../../../domain/document/invoice-document.ts';
import type { NoAnswerCause } from '../../../../domain/einvoice/einvoice.schema.ts';
import type { CustomerEhf, Reachability } from '../../../../domain/ehf/ehf.schema.ts';
import { isValidOrgNumber } from '../../../../domain/parties.ts';
import { requireIssuer, type Issuer } from '../../../company/profile.repository.ts';
import { findActiveAgreements, type KeptAnswer } from './ehf.repository.ts';
import { countDraftsByOrganisation } from '../../../invoice/drafts.repository.ts';
import type { Actor, Context } from '../../../context.ts';
import { findCustomersByIds } from '../../../customer/customer.repository.ts';
import { getCustomer } from '../../../customer/customer.service.ts';
import type { CountedDrafts } from '../../carrier.ts';
import * as repository from './ehf.repository.ts';
import { PEPPOL_TYPES, type PeppolType } from './participant.ts';
import { toDocument } from '../../../document/document-text.ts';
import type { EhfObstacle } from '../../../../domain/document/document.errors.ts';
import { findEhfObstacle } from '../../../document/ehf.ts';
import { AppError } from '../../../errors.ts';
import type { InvoiceRow } from '../../../invoice/invoice.rows.ts';

/** From the worst: a customer must be able to receive both invoices and credit notes. */
const WORST_FIRST: readonly Reachability[] = [
  'NOT_REGISTERED',
  'FORMAT_UNSUPPORTED',
  'UNKNOWN',
  'REACHABLE',
];

/**
 * Whether a customer can receive EHF. Without a valid organisation number the answer is no, without a look-up.
 * @throws AppError not_found
 */
export async function getCustomerEhf(
  context: Context,
  actor: Actor,
  customerNumber: number,
): Promise<CustomerEhf> {
  const { network } = context;
  if (!network) throw new AppError('not_found');
  const { orgNumber } = await getCustomer(context, actor, customerNumber);
  if (orgNumber === null || !isValidOrgNumber(orgNumber)) {
    return { status: 'NOT_REGISTERED', checkedAt: null };
  }
  const wanted = PEPPOL_TYPES.map((documentType) => ({ orgNumber, documentType }));
  const answers = await askNetwork(context, actor.companyId, wanted);
  return worstOf(wanted.map((one) => answers.get(keyOf(one)))) ?? UNASKED;
}

const UNASKED: CustomerEhf = { status: 'UNKNOWN', checkedAt: null };

/** The worst of the answers about one organisation; null without any. */
export function worstOf(
  answers: readonly (Pick<KeptAnswer, 'outcome' | 'askedAt'> | undefined)[],
): CustomerEhf | null {
  const [worst] = answers
    .filter((answer) => answer !== undefined)
    .toSorted(
      (one, other) => WORST_FIRST.indexOf(one.outcome) - WORST_FIRST.indexOf(other.outcome),
    );
  return worst ? { status: worst.outcome, checkedAt: worst.askedAt.toISOString() } : null;
}

/** A question to the network: whether an organisation receives a type of documents. */
export interface Question {
  readonly orgNumber: string;
  readonly documentType: PeppolType;
}

/** The network's answer; without one, why. */
export interface NetworkAnswer extends KeptAnswer {
  readonly cause: NoAnswerCause | null;
}

/** The name of a question in the answers to several. */
export function keyOf({ orgNumber, documentType }: Question): string {
  return `${documentType} ${orgNumber}`;
}

/** The time for all questions of one caller (milliseconds). */
const PATIENCE = 15_000;

/**
 * The network's answers: recent ones, or new ones, which are kept (EHF-10). Without an answer in time it is unknown, and
 * asked again the next time.
 *
 * @returns by `keyOf`; empty where there is no network
 */
export async function askNetwork(
  { db, network, log }: Pick<Context, 'db' | 'network' | 'log'>,
  companyId: number,
  questions: readonly Question[],
  patience = PATIENCE,
): Promise<Map<string, NetworkAnswer>> {
  const answers = new Map<string, NetworkAnswer>();
  if (!network || questions.length === 0) return answers;
  const only = new Set(questions.map(({ orgNumber }) => orgNumber));
  const one = only.size === 1 ? (questions[0]?.orgNumber ?? null) : null;
  for (const kept of await repository.findAnswers(db, companyId, network.name, one)) {
    answers.set(keyOf(kept), { ...kept, cause: null });
  }
  const open = new Map(questions.map((question) => [keyOf(question), question]));
  const asking = { whose: companyId, signal: AbortSignal.timeout(patience) };
  const found = await Promise.all(
    [...open]
      .filter(([key]) => !answers.has(key))
      .map(async ([key, { orgNumber, documentType }]) => {
        const answer = await network.lookup(orgNumber, documentType, asking);
        const { publisher } = answer;
        const askedAt = new Date();
        const isUnknown = answer.kind === 'unknown';
        if (isUnknown)
          log.info({ orgNumber, reason: answer.reason }, 'the network did not say who takes EHF');
        const cause = isUnknown ? answer.cause : null;
        const kept = {
          orgNumber,
          documentType,
          outcome: OUTCOMES[answer.kind],
          publisher,
          askedAt,
        };
        answers.set(key, { ...kept, cause });
        return kept;
      }),
  );
  await repository.keepAnswers(db, companyId, network.name, found);
  return answers;
}

const OUTCOMES = {
  reachable: 'REACHABLE',
  'not-registered': 'NOT_REGISTERED',
  'format-unsupported': 'FORMAT_UNSUPPORTED',
  unknown: 'UNKNOWN',
} as const;

/** The kept answers about a company's receivers of invoices, by organisation number; without a look-up. */
export async function findKnownAnswers(
  { config: { peppol }, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
): Promise<Map<string, Reachability>> {
  if (!peppol) return new Map();
  const answers = await repository.findAnswers(db, companyId, peppol.name);
  return new Map(
    answers
      .filter(({ documentType }) => documentType === 'INVOICE')
      .map(({ orgNumber, outcome }) => [orgNumber, outcome]),
  );
}

/** Looks up which of these customers can receive EHF. Those without an answer in time stay unknown. */
export async function lookUpReceivers(
  context: Context,
  companyId: number,
  customerIds: readonly number[],
): Promise<void> {
  const customers = await findCustomersByIds(context.db, companyId, customerIds);
  const numbers = [...customers.values()].flatMap(({ orgNumber }) => orgNumber ?? []);
  const questions = numbers
    .filter(isValidOrgNumber)
    .map((orgNumber) => ({ orgNumber, documentType: 'INVOICE' as const }));
  await askNetwork(context, companyId, questions);
}

/** For each draft, the reason why it cannot be sent as EHF, or null. */
export async function findDraftObstacles(
  context: Pick<Context, 'config' | 'db'>,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<readonly (AppError | null)[]> {
  const { companyId } = issuer;
  if (!(await findActiveAgreements(context.db, [companyId])).has(companyId)) {
    return drafts.map(() => new AppError('ehf_not_agreed'));
  }
  const answers = await findKnownAnswers(context, companyId);
  return drafts.map((draft) => {
    const obstacle = obstacleToEhf(draft, issuer);
    if (obstacle) return new AppError('ehf_not_possible', { subject: obstacle });
    return canTake(answers, draft.buyer.orgNumber) ? null : new AppError('recipient_without_ehf');
  });
}

/** Why EHF cannot express a draft, or null. */
export function obstacleToEhf(draft: InvoiceRow, issuer: Issuer): EhfObstacle | null {
  return findEhfObstacle(previewOf(draft, issuer));
}

/**
 * The document as it would be issued; neither its number nor its VAT treatments matter for whether EHF can express it
 * (VAT-5 judges these).
 */
function previewOf(draft: InvoiceRow, issuer: Issuer): InvoiceDocument {
  return { ...toDocument(draft, issuer, false), invoiceNumber: 1 };
}

/**
 * Predicts how many EHF drafts would be registered now, and their sum, by the rules of `findEhfObstacle`
 * (server/document/ehf.ts), without reading the drafts.
 */
export async function countQueueable(
  context: Pick<Context, 'config' | 'db'>,
  companyId: number,
): Promise<CountedDrafts> {
  const { db } = context;
  const none = { drafts: 0, gross: 0 };
  if (!(await findActiveAgreements(db, [companyId])).has(companyId)) return none;
  const { seller } = await requireIssuer(db, companyId);
  if (!isValidOrgNumber(seller.orgNumber)) return none;
  const filter = { deliveryType: 'EHF', withVat: seller.vatRegistered } as const;
  const counted = await countDraftsByOrganisation(db, companyId, filter);
  if (counted.length === 0) return none;
  const answers = await findKnownAnswers(context, companyId);
  return counted
    .filter(({ orgNumber }) => isValidOrgNumber(orgNumber ?? '') && canTake(answers, orgNumber))
    .reduce(
      (sum, { drafts, gross }) => ({
        drafts: sum.drafts + drafts,
        gross: sum.gross + gross,
      }),
      none,
    );
}

/** An unknown receiver is not refused. */
function canTake(answers: ReadonlyMap<string, string>, orgNumber: string | null): boolean {
  const answer = answers.get(orgNumber ?? '');
  return answer === undefined || answer === 'REACHABLE';
}
