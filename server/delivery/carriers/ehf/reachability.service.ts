import type { CustomerEhf, Reachability } from '../../../../domain/ehf/ehf.schema.ts';
import { isValidOrgNumber } from '../../../../domain/parties.ts';
import type { Actor, Context } from '../../../context.ts';
import { getCustomer } from '../../../customer/customer.service.ts';
import type { Db } from '../../../platform/db/database.ts';
import { AppError } from '../../../errors.ts';
import { PEPPOL_TYPES, type PeppolType } from './participant.ts';
import * as repository from './reachability.repository.ts';

/** From the worst: a customer takes EHF when it takes both invoices and credit notes. */
const WORST_FIRST: readonly Reachability[] = [
  'NOT_REGISTERED',
  'FORMAT_UNSUPPORTED',
  'UNKNOWN',
  'REACHABLE',
];

/**
 * Whether a customer can be sent EHF. Without a true organisation number it cannot, and nobody is asked.
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
 * Whether an organisation takes a document type: as it said lately, or as the network says now. What the
 * network does not answer is unknown, and is asked again the next time.
 */
export async function findReachability(
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

/** The kept answers about a company's receivers, by organisation number. Asks nobody. */
export async function findKnownAnswers(
  db: Db,
  companyId: number,
  documentType: PeppolType,
): Promise<Map<string, Exclude<Reachability, 'UNKNOWN'>>> {
  const rows = await repository.findAnswers(db, companyId, documentType);
  return new Map(rows.map(({ orgNumber, outcome }) => [orgNumber, outcome]));
}
