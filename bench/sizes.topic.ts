import { withClient } from '../server/testing/server-database.ts';
import { atMost, beside, type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { inTurns, measureHttp, type Pace } from './load.ts';
import { logIn, type Person } from './person.ts';
import { seedInvoices } from './seed-companies.ts';
import { addDrafts } from './seed.ts';

const SIZES = [1000, 100_000, 1_000_000];
const QUICK_SIZES = [1000, 5000, 20_000];
const FAR_PAGE = 100;
const ROUNDS = 3;

interface Account {
  readonly invoices: number;
  readonly person: Person;
}

/** Whether the list stays fast as the account grows and as larger pages are requested. */
export async function measureSizes(harness: Harness): Promise<Figure[]> {
  const { quick, seconds } = harness.options;
  const accounts: Account[] = [];
  for (const invoices of quick ? QUICK_SIZES : SIZES) {
    harness.say(`making ${invoices.toLocaleString('en-GB')} invoices`);
    const url = await harness.newDatabase();
    const companyId = await seedInvoices(url, invoices);
    await withClient(url, async (client) => addDrafts(client, companyId, 5));
    const { origin } = await harness.newServer({ DATABASE_URL: url });
    accounts.push({ invoices, person: await logIn(url, origin) });
  }
  const calls = accounts.flatMap((account) => callsOn(account, seconds));
  const paces = await inTurns(ROUNDS, Object.fromEntries(calls));
  return accounts.flatMap((account) => figuresOf(account, accounts[0] ?? account, paces));
}

/** A small account has no page 100, so its last page is used. */
function farPage({ invoices }: Account): number {
  return Math.min(FAR_PAGE, Math.floor(invoices / 20));
}

const LISTS = {
  'by customer': '?sort=customer',
  'largest amount first': '?sort=-amount',
  'what is owed, oldest first': '?sort=issue_date&status=OUTSTANDING',
  'what failed': '?status=FAILED',
  'registered only': '?status=REGISTERED',
  'search for one customer': '?query=bj%C3%B8rkely+elektro+25+as',
  'search that finds a sixth': '?query=kaffebrenneri',
  'the same, largest amount first': '?sort=-amount&query=kaffebrenneri',
} as const;

function callsOn(account: Account, seconds: number): [string, () => Promise<Pace>][] {
  const { invoices, person } = account;
  const queries = { first: '?page=1', far: `?page=${farPage(account)}`, ...LISTS };
  return Object.entries(queries).map(([name, query]) => [
    `${invoices} ${name}`,
    async () => measureHttp({ person, path: `/api/invoices/${query}`, seconds }),
  ]);
}

function figuresOf(account: Account, smallest: Account, paces: Record<string, Pace>): Figure[] {
  const p95 = ({ invoices }: Account, name: string) =>
    paces[`${invoices} ${name}`]?.p95 ?? Number.NaN;
  const of = `of ${account.invoices.toLocaleString('en-GB')}, 95 % within`;
  const besideSmallest = (name: string) =>
    beside(`with ${smallest.invoices.toLocaleString('en-GB')}`, p95(smallest, name));
  const first = p95(account, 'first');
  const far = p95(account, 'far');
  return [
    figure(`page 1 ${of}`, first, 'ms', besideSmallest('first'), atMost(1.5)),
    figure(`page ${farPage(account)} ${of}`, far, 'ms', beside('page 1', first), atMost(2)),
    ...Object.keys(LISTS).map((name) =>
      figure(`${name} ${of}`, p95(account, name), 'ms', besideSmallest(name)),
    ),
  ];
}
