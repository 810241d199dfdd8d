import { twelveMonthsTo } from '../domain/overview/periods.ts';
import * as repository from '../server/overview/overview.repository.ts';
import { openServer } from '../server/platform/db/database.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { openInstallation, type Visitor } from './installation.ts';
import { inTurns, measureCalls, type Pace } from './load.ts';
import { callApi } from './person.ts';
import { largestOf } from './seed-tenants.ts';

/** The largest company has 200 times the average. */
const INVOICES_EACH = 5000;
const QUICK_INVOICES_EACH = 15;
const COMPANIES = 20;
const ROUNDS = 3;

/** The invoices that are seeded are of 2021-11-20 to 2026-11-14. */
const CALLS = {
  'a month': '?from=2026-10-01&to=2026-10-31',
  'a year': '?from=2025-01-01&to=2025-12-31',
  'two years': '?from=2024-11-15&to=2026-11-14',
  'five years': '?from=2021-11-20&to=2026-11-19',
  today: '',
  'a day of three years ago': '?as_of=2023-11-14',
} as const;

const FIVE_YEARS = { from: '2021-11-20', to: '2026-11-19' };
const LAST_DAY = '2026-11-14';

/**
 * The overview of a company with a million invoices in five years, asked for by one person after the other, each of its
 * statements alone, and the list of another company meanwhile.
 */
export async function measureOverview(harness: Harness): Promise<Figure[]> {
  const { quick, seconds } = harness.options;
  const tenants = {
    companies: COMPANIES,
    invoicesEach: quick ? QUICK_INVOICES_EACH : INVOICES_EACH,
  };
  const { url, visitors, largest } = await openInstallation(harness, tenants);
  const { origin } = await harness.newServer({ DATABASE_URL: url, FEATURES: 'overview' });
  const other = visitors.at(-1) ?? largest;
  const ask = async (who: Visitor, path: string) =>
    (await callApi(origin, who.cookie, ['GET', path])).arrayBuffer();
  const look = async (path: string) =>
    measureCalls(seconds, async () => ask(largest, `/api/overview/${path}`), 1);
  const list = async () => measureCalls(seconds, async () => ask(other, '/api/invoices/'), 1);
  const looks = Object.entries(CALLS).map(([name, path]): [string, () => Promise<Pace>] => [
    name,
    async () => look(path),
  ]);
  const paces = await inTurns(ROUNDS, Object.fromEntries(looks));
  const statements = await measureStatements(harness, url, largest.companyId);
  const lists = await inTurns(ROUNDS, {
    idle: list,
    meanwhile: async () => (await Promise.all([list(), look(CALLS['two years'])]))[0],
  });
  const of = `${largestOf(tenants).toLocaleString('en-GB')} invoices`;
  return [
    ...Object.entries(paces).map(([name, { p95 }]): Figure => ({
      name: `overview of ${of}, ${name}, 95 % within`,
      value: p95,
      unit: 'ms',
    })),
    ...Object.entries(statements).map(([name, { p50 }]): Figure => ({
      name: `the statement of ${name}`,
      value: p50,
      unit: 'ms',
      target: { is: 'at most', bound: 200 },
    })),
    {
      name: "another company's list meanwhile, 95 % within",
      value: lists.meanwhile.p95,
      unit: 'ms',
      peer: { name: 'idle', value: lists.idle.p95 },
    },
  ];
}

/** Each statement of the overview, without HTTP. */
async function measureStatements(harness: Harness, url: string, companyId: number) {
  const database = openServer(url, () => undefined);
  harness.defer(async () => database.close());
  const { db } = database;
  const year = twelveMonthsTo(LAST_DAY);
  const read = (statement: () => Promise<unknown>) => async () =>
    measureCalls(harness.options.seconds, statement, 1);
  return inTurns(ROUNDS, {
    'turnover and VAT of five years': read(async () =>
      repository.sumDays(db, companyId, FIVE_YEARS),
    ),
    'what was owed three years ago': read(async () =>
      repository.sumOwed(db, companyId, '2023-11-14'),
    ),
    'largest customers of a year': read(async () => repository.findLargest(db, companyId, year)),
    'days to payment of a year': read(async () =>
      repository.countDaysToPayment(db, companyId, year),
    ),
  });
}
