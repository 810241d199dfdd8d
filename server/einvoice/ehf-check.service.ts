import type { CustomerEhf } from '../../domain/ehf/ehf.schema.ts';
import {
  CHECK_PAUSE,
  type CustomersEhf,
  type EhfCheck,
} from '../../domain/einvoice/einvoice.schema.ts';
import { isValidOrgNumber } from '../../domain/parties.ts';
import type { Actor, Context } from '../context.ts';
import { findAllAnswers } from '../delivery/carriers/ehf/ehf.repository.ts';
import { PEPPOL_TYPES } from '../delivery/carriers/ehf/participant.ts';
import { askNetwork, keyOf, worstOf } from '../delivery/carriers/ehf/reachability.service.ts';
import { AppError } from '../errors.ts';
import { limitTo } from '../platform/db/turns.ts';
import { handlerOf, TryLater, type JobHandler } from '../platform/jobs/job.ts';
import { ehfCheckJob } from '../platform/jobs/jobs.ts';
import {
  beginCheck,
  countBusinesses,
  findBusinesses,
  findCheck,
  finishCheck,
  saveCheck,
  type CheckRow,
} from './ehf-check.repository.ts';

/** Customers of one part, and how many of them are asked about at once. */
const PART = 20;
const AT_ONCE = 4;
/** How long a check works before it gives way to other companies (milliseconds). */
const TURN = 20_000;
const EVERYBODY = 2 ** 31 - 1;

/**
 * Begins to ask the network about all Norwegian businesses among the customers (EINV-8).
 * @throws AppError no_network, check_working, checked_lately
 */
export async function startCheck(context: Context, { companyId }: Actor): Promise<EhfCheck> {
  if (!context.network) throw new AppError('no_network');
  return context.db.transaction().execute(async (trx) => {
    const { all } = await countBusinesses(trx, companyId, []);
    const isBegun = await beginCheck(trx, companyId, all);
    const row = await findCheck(trx, companyId);
    if (!row) throw new Error(`Company ${companyId} has no check`);
    if (!isBegun) throw refusalOf(row);
    const job = { payload: { companyId }, key: String(companyId) };
    await context.jobs.enqueueAll(trx, ehfCheckJob, [job]);
    return present(row);
  });
}

function refusalOf({ finishedAt, startedAt, isForsaken }: CheckRow): AppError {
  if (finishedAt === null && !isForsaken) return new AppError('check_working');
  const retryAfter = Math.max(
    1,
    Math.ceil((startedAt.getTime() + CHECK_PAUSE - Date.now()) / 1000),
  );
  return new AppError('checked_lately', { retryAfter });
}

/** The last check; null without one. */
export async function getCheck(
  { db, network }: Context,
  { companyId }: Actor,
): Promise<EhfCheck | null> {
  const row = network && (await findCheck(db, companyId));
  return row && present(row);
}

function present(row: CheckRow): EhfCheck {
  const { total, asked, reachable, cannot, unknown, startedAt, finishedAt, isForsaken } = row;
  return {
    state: finishedAt === null && !isForsaken ? 'WORKING' : 'DONE',
    total,
    asked,
    reachable,
    cannot,
    unknown,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

/** The newest answer about each customer, by number; none about whom the network was never asked. */
export async function listCustomersEhf(
  { db, network }: Context,
  { companyId }: Actor,
): Promise<CustomersEhf> {
  if (!network) return [];
  const answers = await findAllAnswers(db, companyId, network.name);
  const byNumber = Map.groupBy(answers, ({ orgNumber }) => orgNumber);
  const customers = await findBusinesses(db, companyId, 0, EVERYBODY);
  return customers.flatMap(({ customerNumber, orgNumber }) => {
    const found = worstOf(byNumber.get(orgNumber) ?? []);
    return found ? [Object.assign(found, { customerNumber })] : [];
  });
}

export function checkJobs(context: Context): JobHandler[] {
  return [
    handlerOf(ehfCheckJob, async ({ companyId }, signal) => goOn(context, companyId, signal), {
      feature: 'einvoice',
    }),
  ];
}

/** Asks about the customers who are left, in parts. @throws TryLater after its turn */
async function goOn(context: Context, companyId: number, signal: AbortSignal): Promise<void> {
  const until = Date.now() + TURN;
  for (;;) {
    const check = await findCheck(context.db, companyId);
    if (!check || check.finishedAt !== null) return;
    const part = await findBusinesses(context.db, companyId, check.afterNumber, PART);
    const last = part.at(-1);
    if (!last) {
      await finishCheck(context.db, companyId);
      return;
    }
    const limited = limitTo(AT_ONCE);
    const found = await Promise.all(
      part.map(async ({ orgNumber }) =>
        limited(async () => askAbout(context, companyId, orgNumber)),
      ),
    );
    const count = (...statuses: CustomerEhf['status'][]) =>
      found.filter((status) => statuses.includes(status)).length;
    await saveCheck(context.db, companyId, {
      asked: check.asked + part.length,
      reachable: check.reachable + count('REACHABLE'),
      cannot: check.cannot + count('NOT_REGISTERED', 'FORMAT_UNSUPPORTED'),
      unknown: check.unknown + count('UNKNOWN'),
      afterNumber: last.customerNumber,
    });
    if (signal.aborted || Date.now() > until)
      throw new TryLater('more customers are to be checked');
  }
}

async function askAbout(
  context: Context,
  companyId: number,
  orgNumber: string,
): Promise<CustomerEhf['status']> {
  if (!isValidOrgNumber(orgNumber)) return 'NOT_REGISTERED';
  const questions = PEPPOL_TYPES.map((documentType) => ({ orgNumber, documentType }));
  const answers = await askNetwork(context, companyId, questions);
  return worstOf(questions.map((one) => answers.get(keyOf(one))))?.status ?? 'UNKNOWN';
}
