import { withClient } from '../server/testing/server-database.ts';
import type { Figure } from './figure.ts';
import { inTurns, measureHttp, type Pace } from './load.ts';
import { addDrafts, logIn } from './seed.ts';
import { seedInvoices } from './seed-tenants.ts';
import type { Harness } from './harness.ts';

const SIZES = [1000, 100_000, 1_000_000];
const QUICK_SIZES = [1000, 5000, 20_000];
const FAR_PAGE = 100;
const ROUNDS = 3;

interface Account {
  readonly invoices: number;
  readonly origin: string;
  readonly cookie: string;
}

/** Whether the list stays fast as the account grows and as larger pages are requested. */
export async function measureSizes(harness: Harness): Promise<Figure[]> {
  const { quick, seconds } = harness.options;
  const accounts: Account[] = [];
  for (const invoices of quick ? QUICK_SIZES : SIZES) {
    harness.say(`making ${invoices.toLocaleString('en-GB')} invoices`);
    const url = await harness.newDatabase();
    await withClient(url, async (client) =>
      addDrafts(client, await seedInvoices(url, invoices), 5),
    );
    const { origin } = await harness.newServer({ DATABASE_URL: url });
    accounts.push({ invoices, origin, cookie: await logIn(url, origin) });
  }
  const calls = accounts.flatMap((account) => callsOn(account, seconds));
  const paces = await inTurns(ROUNDS, Object.fromEntries(calls));
  return accounts.flatMap((account) => figuresOf(account, accounts[0] ?? account, paces));
}

/** A small account has no page 100, so its last page is used. */
function farPage({ invoices }: Account): number {
  return Math.min(FAR_PAGE, Math.floor(invoices / 20));
}

function callsOn(account: Account, seconds: number): [string, () => Promise<Pace>][] {
  const paths = {
    first: '/api/invoices/?page=1',
    far: `/api/invoices/?page=${farPage(account)}`,
    status: '/api/invoices/?status=REGISTERED',
    rare: '/api/invoices/?query=bj%C3%B8rkely+elektro+25+as',
    common: '/api/invoices/?query=kaffebrenneri',
    byCustomer: '/api/invoices/?sort=customer',
    byAmount: '/api/invoices/?sort=-amount',
    byDate: '/api/invoices/?sort=issue_date&status=OUTSTANDING',
    failed: '/api/invoices/?status=FAILED',
    sortedSearch: '/api/invoices/?sort=-amount&query=kaffebrenneri',
  };
  return Object.entries(paths).map(([name, path]) => [
    `${account.invoices} ${name}`,
    async () => measureHttp({ url: account.origin + path, cookie: account.cookie, seconds }),
  ]);
}

function figuresOf(account: Account, smallest: Account, paces: Record<string, Pace>): Figure[] {
  const p95 = ({ invoices }: Account, call: string) => paces[`${invoices} ${call}`]?.p95 ?? NaN;
  const of = `of ${account.invoices.toLocaleString('en-GB')}`;
  const beside = (call: string) => ({
    name: `with ${smallest.invoices.toLocaleString('en-GB')}`,
    value: p95(smallest, call),
  });
  const far = farPage(account);
  return [
    {
      name: `page 1 ${of}, 95 % within`,
      value: p95(account, 'first'),
      unit: 'ms',
      peer: beside('first'),
      target: { is: 'at most', bound: 1.5 },
    },
    {
      name: `page ${far} ${of}, 95 % within`,
      value: p95(account, 'far'),
      unit: 'ms',
      peer: { name: 'page 1', value: p95(account, 'first') },
      target: { is: 'at most', bound: 2 },
    },
    ...SORTED.map((call) => ({
      name: `${SORTED_LABELS[call]} ${of}, 95 % within`,
      value: p95(account, call),
      unit: 'ms',
      peer: beside(call),
    })),
    ...(['status', 'rare', 'common', 'sortedSearch'] as const).map((call) => ({
      name: `${LABELS[call]} ${of}, 95 % within`,
      value: p95(account, call),
      unit: 'ms',
      peer: beside(call),
    })),
  ];
}

const SORTED = ['byCustomer', 'byAmount', 'byDate', 'failed'] as const;

const SORTED_LABELS = {
  byCustomer: 'by customer',
  byAmount: 'largest amount first',
  byDate: 'what is owed, oldest first',
  failed: 'what failed',
};

const LABELS = {
  status: 'registered only',
  rare: 'search for one customer',
  common: 'search that finds a sixth',
  sortedSearch: 'the same, largest amount first',
};
