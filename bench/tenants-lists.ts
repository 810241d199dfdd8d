import type { Request } from 'autocannon';

import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { inTurns, measureHttp, type Pace } from './load.ts';
import { customerName } from './tenant-samples.ts';
import type { Installation, Visitor } from './installation.ts';

const ROUNDS = 3;

/** The measured lists, by company. */
const LOOKS: readonly (readonly [name: string, path: (companyId: number) => string])[] = [
  ['page 1', () => '/api/invoices/'],
  ['what is owed', () => '/api/invoices/?status=OUTSTANDING'],
  ['paid, largest amount first', () => '/api/invoices/?status=PAID&sort=-amount'],
  ['by customer', () => '/api/invoices/?sort=customer'],
  ['search for one customer', (companyId) => `/api/invoices/?query=${nameIn(companyId)}`],
  ['search that finds a sixth', () => '/api/invoices/?query=kaffebrenneri'],
  ['a customer by name', (companyId) => `/api/customers/search/?size=4&query=${nameIn(companyId)}`],
];

function nameIn(companyId: number): string {
  return encodeURIComponent(customerName(companyId, 2));
}

/** Lists and searches of many companies, each call by another one; compared with an only company. */
export async function measureLists(
  { options: { seconds } }: Harness,
  many: Installation,
  alone: Installation,
): Promise<Figure[]> {
  const largest = [many.largest];
  const calls = LOOKS.flatMap(([name, path]): [string, () => Promise<Pace>][] => [
    [`${name}, many`, async () => measureLook(many, many.visitors, path, seconds)],
    [`${name}, largest`, async () => measureLook(many, largest, path, seconds)],
    [`${name}, alone`, async () => measureLook(alone, alone.visitors, path, seconds)],
  ]);
  const paces = await inTurns(ROUNDS, Object.fromEntries(calls));
  const p95 = (name: string) => paces[name]?.p95 ?? Number.NaN;
  return LOOKS.flatMap(([name]): Figure[] => {
    const peer = { name: 'alone', value: p95(`${name}, alone`) };
    const target = { is: 'at most', bound: 1.5 } as const;
    return [
      { name: `${name}, 95 % within`, value: p95(`${name}, many`), unit: 'ms', peer, target },
      { name: `${name}, of the largest`, value: p95(`${name}, largest`), unit: 'ms', peer },
    ];
  });
}

async function measureLook(
  { server }: Installation,
  visitors: readonly Visitor[],
  path: (companyId: number) => string,
  seconds: number,
): Promise<Pace> {
  let turn = 0;
  return measureHttp({
    url: server.origin,
    cookie: '',
    seconds,
    prepare: (request: Request) => {
      const visitor = visitors[turn++ % visitors.length];
      if (!visitor) return request;
      const headers = { ...request.headers, cookie: visitor.cookie };
      return { ...request, headers, path: path(visitor.companyId) };
    },
  });
}
