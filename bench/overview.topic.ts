import { twelveMonthsTo } from '../domain/overview/periods.ts';
import * as repository from '../server/overview/overview.repository.ts';
import { openServer } from '../server/platform/db/database.ts';
import { atMost, beside, type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { inTurns, measureCalls, type Pace } from './load.ts';
import { ask, logIn, type Person } from './person.ts';
import { ownerOf, seedCompanies } from './seed-companies.ts';

const SIZES = [1_000_000, 100_000, 2050];
const QUICK_SIZES = [3000, 300, 25];
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
  const sizes = quick ? QUICK_SIZES : SIZES;
  const url = await harness.newDatabase();
  await seedCompanies(url, sizes);
  const { origin } = await harness.newServer({ DATABASE_URL: url, FEATURES: 'overview' });
  const [largest, other] = [await logIn(url, origin), await logIn(url, origin, ownerOf(3))];
  const get = (person: Person, path: string) => async () =>
    measureCalls(seconds, async () => ask(person, 'GET', path), 1);
  const looks = Object.entries(CALLS).map(([name, query]): [string, () => Promise<Pace>] => [
    name,
    get(largest, `/api/overview/${query}`),
  ]);
  const list = get(other, '/api/invoices/');
  const paces = await inTurns(ROUNDS, Object.fromEntries(looks));
  const statements = await measureStatements(harness, url);
  const look = get(largest, `/api/overview/${CALLS['two years']}`);
  const lists = await inTurns(ROUNDS, {
    idle: list,
    meanwhile: async () => (await Promise.all([list(), look()]))[0],
  });
  const of = `${(sizes[0] ?? 0).toLocaleString('en-GB')} invoices`;
  return [
    ...Object.entries(paces).map(([name, { p95 }]) =>
      figure(`overview of ${of}, ${name}, 95 % within`, p95, 'ms'),
    ),
    ...Object.entries(statements).map(([name, { p50 }]) =>
      figure(`the statement of ${name}`, p50, 'ms', atMost(200)),
    ),
    figure(
      "another company's list meanwhile, 95 % within",
      lists.meanwhile.p95,
      'ms',
      beside('idle', lists.idle.p95),
    ),
  ];
}

/** Each statement of the overview of the largest company, without HTTP. */
async function measureStatements(harness: Harness, url: string) {
  const database = openServer(url, () => undefined);
  harness.defer(async () => database.close());
  const { db } = database;
  const year = twelveMonthsTo(LAST_DAY);
  const read = (statement: () => Promise<unknown>) => async () =>
    measureCalls(harness.options.seconds, statement, 1);
  return inTurns(ROUNDS, {
    'turnover and VAT of five years': read(async () => repository.sumDays(db, 1, FIVE_YEARS)),
    'what was owed three years ago': read(async () => repository.sumOwed(db, 1, '2023-11-14')),
    'largest customers of a year': read(async () => repository.findLargest(db, 1, year)),
    'days to payment of a year': read(async () => repository.countDaysToPayment(db, 1, year)),
  });
}
