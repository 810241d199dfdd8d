import type { InvoiceDocument } from '../../../../domain/document/invoice-document.ts';
import type { CustomerEhf, Reachability } from '../../../../domain/ehf/ehf.schema.ts';
import { isValidOrgNumber } from '../../../../domain/parties.ts';
import { requireIssuer, type Issuer } from '../../../company/profile.repository.ts';
import { findActiveAgreements } from './ehf.repository.ts';
import { countDraftsByOrganisation } from '../../../invoice/drafts.repository.ts';
import type { Actor, Context } from '../../../context.ts';
import { findCustomersByIds } from '../../../customer/customer.repository.ts';
import { getCustomer } from '../../../customer/customer.service.ts';
import type { CountedDrafts } from '../../carrier.ts';
import * as repository from './ehf.repository.ts';
import { PEPPOL_TYPES, type PeppolType } from './participant.ts';
import { toDocument } from '../../../document/document-text.ts';
import { findEhfObstacle } from '../../../document/ehf.ts';
import { AppError } from '../../../errors.ts';
import type { InvoiceRow } from '../../../invoice/invoice.rows.ts';
import type { Db } from '../../../platform/db/database.ts';

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
  const { orgNumber } = await getCustomer(context, actor, customerNumber);
  if (orgNumber === null || !isValidOrgNumber(orgNumber)) {
    return { status: 'NOT_REGISTERED', checkedAt: null };
  }
  const answers = await Promise.all(
    PEPPOL_TYPES.map(async (type) => findReachability(context, actor.companyId, orgNumber, type)),
  );
  const [worst] = answers.toSorted(
    (one, other) => WORST_FIRST.indexOf(one.status) - WORST_FIRST.indexOf(other.status),
  );
  return worst ?? { status: 'UNKNOWN', checkedAt: null };
}

/**
 * Whether an organisation can receive a document type: a recent answer, or a new look-up. Without an answer of the
 * network it is unknown, and looked up again the next time.
 */
async function findReachability(
  { db, network, log }: Pick<Context, 'db' | 'network' | 'log'>,
  companyId: number,
  orgNumber: string,
  documentType: PeppolType,
): Promise<CustomerEhf> {
  if (!network) throw new AppError('not_found');
  const asked = { companyId, orgNumber, documentType };
  const kept = await repository.findAnswer(db, asked);
  if (kept) return { status: kept.outcome, checkedAt: kept.checkedAt.toISOString() };
  const answer = await network.lookup(orgNumber, documentType);
  if (answer.kind === 'unknown') {
    log.info({ orgNumber, reason: answer.reason }, 'the network did not say who takes EHF');
    return { status: 'UNKNOWN', checkedAt: new Date().toISOString() };
  }
  const status = STATUSES[answer.kind];
  const checkedAt = await repository.keepAnswer(db, asked, status);
  return { status, checkedAt: checkedAt.toISOString() };
}

const STATUSES = {
  reachable: 'REACHABLE',
  'not-registered': 'NOT_REGISTERED',
  'format-unsupported': 'FORMAT_UNSUPPORTED',
} as const;

/** The stored answers about a company's receivers, by organisation number; without a look-up. */
async function findKnownAnswers(
  db: Db,
  companyId: number,
  documentType: PeppolType,
): Promise<Map<string, Exclude<Reachability, 'UNKNOWN'>>> {
  const rows = await repository.findAnswers(db, companyId, documentType);
  return new Map(rows.map(({ orgNumber, outcome }) => [orgNumber, outcome]));
}

/** Concurrent look-ups, and the time for all (milliseconds). */
const AT_ONCE = 8;
const PATIENCE = 15_000;

/** Looks up which of these customers can receive EHF. Those without an answer in time stay unknown. */
export async function lookUpReceivers(
  context: Context,
  companyId: number,
  customerIds: readonly number[],
): Promise<void> {
  const customers = await findCustomersByIds(context.db, companyId, customerIds);
  const receivers = new Set(
    [...customers.values()].flatMap(({ orgNumber }) => orgNumber ?? []).filter(isValidOrgNumber),
  );
  const deadline = Date.now() + PATIENCE;
  const next = receivers.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const orgNumber of next) {
        if (Date.now() > deadline) return;
        await findReachability(context, companyId, orgNumber, 'INVOICE');
      }
    }),
  );
}

/** For each draft, the reason why it cannot be sent as EHF, or null. */
export async function findDraftObstacles(
  db: Db,
  issuer: Issuer,
  drafts: readonly InvoiceRow[],
): Promise<readonly (AppError | null)[]> {
  const { companyId } = issuer;
  if (!(await findActiveAgreements(db, [companyId])).has(companyId)) {
    return drafts.map(() => new AppError('ehf_not_agreed'));
  }
  const answers = await findKnownAnswers(db, companyId, 'INVOICE');
  return drafts.map((draft) => {
    const obstacle = findEhfObstacle(previewOf(draft, issuer));
    if (obstacle) return new AppError('ehf_not_possible', { subject: obstacle });
    return canTake(answers, draft.buyer.orgNumber) ? null : new AppError('recipient_without_ehf');
  });
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
export async function countQueueable(db: Db, companyId: number): Promise<CountedDrafts> {
  const none = { drafts: 0, gross: 0 };
  if (!(await findActiveAgreements(db, [companyId])).has(companyId)) return none;
  const { seller } = await requireIssuer(db, companyId);
  if (!isValidOrgNumber(seller.orgNumber)) return none;
  const filter = { deliveryType: 'EHF', withVat: seller.vatRegistered } as const;
  const counted = await countDraftsByOrganisation(db, companyId, filter);
  if (counted.length === 0) return none;
  const answers = await findKnownAnswers(db, companyId, 'INVOICE');
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
