import type { Context } from '../../../context.ts';
import type { Db, Trx } from '../../../platform/db/database.ts';
import { findCompanyOfEmail, findNewCompanies } from '../../../account/account.service.ts';
import type { NewlyMade } from '../../carrier.ts';
import * as repository from '../../waiting-deliveries.repository.ts';

/** A company is new for so long (days). */
const NEW_FOR = 7;
/** The most mails of a new company to one address in a day (DEL-15). */
const MOST_TO_ONE_ADDRESS = 100;

/**
 * Which of these new deliveries may go today. A new company mails so many in a day and no more,
 * whatever number of workers ask: they count one after another. The others are put off, and the
 * invoice says why. What was let go counts, whether it arrives or not.
 */
export async function allotToday(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  deliveries: readonly NewlyMade[],
): Promise<readonly NewlyMade[]> {
  const most = config.newCompanyMailsPerDay;
  if (most === null || deliveries.length === 0) return deliveries;
  const companyIds = [...new Set(deliveries.map(({ companyId }) => companyId))];
  const limited = await findLimited(trx, companyIds);
  const free = deliveries.filter(({ companyId }) => !limited.has(companyId));
  // In one order, so that two workers never wait for each other.
  for (const companyId of [...limited].toSorted((left, right) => left - right)) {
    const own = deliveries.filter((delivery) => delivery.companyId === companyId);
    free.push(...(await allot(trx, companyId, own, most)));
  }
  return free;
}

async function findLimited(db: Db, companyIds: readonly number[]): Promise<Set<number>> {
  const limited = await findNewCompanies(db, companyIds, NEW_FOR);
  if (limited.size === 0) return limited;
  return limited.difference(await repository.findAllowed(db, [...limited]));
}

/** Counts what may go, and puts off the rest. */
async function allot(
  trx: Trx,
  companyId: number,
  deliveries: readonly NewlyMade[],
  most: number,
): Promise<NewlyMade[]> {
  await repository.lockCounting(trx, companyId);
  // An operator may have allowed it while the lock was waited for.
  if ((await repository.findAllowed(trx, [companyId])).size > 0) return [...deliveries];
  const toAddress = await repository.countToday(trx, companyId);
  let total = toAddress.values().reduce((sum, many) => sum + many, 0);
  const verdicts = Map.groupBy(deliveries, ({ recipient }) => {
    const address = recipient.toLowerCase();
    const many = toAddress.get(address) ?? 0;
    if (total >= most) return 'company';
    if (many >= MOST_TO_ONE_ADDRESS) return 'address';
    total += 1;
    toAddress.set(address, many + 1);
    return 'free';
  });
  const idsOf = (verdict: 'free' | 'company' | 'address') =>
    (verdicts.get(verdict) ?? []).map(({ id }) => id);
  await repository.count(trx, companyId, idsOf('free'));
  await repository.defer(
    trx,
    companyId,
    idsOf('company'),
    `En ny konto sender høyst ${formatCount(most)} fakturaer på e-post i døgnet.`,
  );
  await repository.defer(
    trx,
    companyId,
    idsOf('address'),
    `En ny konto sender høyst ${formatCount(MOST_TO_ONE_ADDRESS)} fakturaer i døgnet til samme adresse.`,
  );
  return verdicts.get('free') ?? [];
}

function formatCount(many: number): string {
  return many.toLocaleString('nb-NO');
}

/**
 * Lets a new company mail as much as it likes from now on. Returns how many deliveries waited for
 * it, or null when the address has no account.
 */
export async function allowMailing(db: Db, email: string): Promise<number | null> {
  const companyId = await findCompanyOfEmail(db, email);
  if (companyId === null) return null;
  await db.transaction().execute(async (trx) => {
    await repository.lockCounting(trx, companyId);
    await repository.allow(trx, companyId);
  });
  // Without the lock: housekeeping at midnight holds what is put off, and waits for it.
  return repository.endDeferral(db, companyId);
}
