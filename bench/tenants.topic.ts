import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Request } from 'autocannon';

import type { Figure } from './figure.ts';
import { type Harness, SECRET_KEY } from './harness.ts';
import {
  type Installation,
  measureBytes,
  openInstallation,
  scrape,
  type Visitor,
} from './installation.ts';
import { inTurns, measureHttp, type Pace } from './load.ts';
import { largestOf, seedTenants, type Tenants } from './seed-tenants.ts';
import { customerName } from './sample-invoices.ts';
import { measureSending } from './tenants-sending.ts';

const COMPANIES = 100_000;
const QUICK_COMPANIES = 1000;
const INVOICES_EACH = 30;
const QUICK_INVOICES_EACH = 20;
/** A tenth of the companies is backed up, but at most this many: size and time grow with them, to minutes. */
const BACKED_UP_MOST = 10_000;

/** Whether a company notices that it shares its installation with many thousands of others. */
export async function measureTenants(harness: Harness): Promise<Figure[]> {
  const { quick, companies = quick ? QUICK_COMPANIES : COMPANIES } = harness.options;
  const invoicesEach = quick ? QUICK_INVOICES_EACH : INVOICES_EACH;
  const many = await openInstallation(harness, { companies, invoicesEach });
  const alone = await openInstallation(harness, { companies: 1, invoicesEach });
  const sizes = await measureBytes(many);
  const scraping = [many, alone].map((installation) => scrape(harness, installation));
  const lists = await measureLists(harness, many, alone);
  const sending = await measureSending(harness, many, alone);
  const [scrapes, scrapesAlone] = scraping.map((stop) => stop());
  const grown = await measureBytes(many);
  const backup = await measureBackup(harness, {
    companies: Math.min(Math.ceil(companies / 10), BACKED_UP_MOST),
    invoicesEach,
  });
  return [
    { name: 'companies', value: companies, unit: '' },
    { name: 'invoices', value: sizes.invoices, unit: '' },
    { name: 'of the largest company', value: largestOf(many.tenants), unit: '' },
    ...lists,
    ...sending.figures,
    {
      name: 'metrics meanwhile, slowest scrape',
      value: Math.max(...(scrapes ?? [])),
      unit: 'ms',
      peer: { name: 'alone', value: Math.max(...(scrapesAlone ?? [])) },
    },
    { name: 'tables, an invoice', value: sizes.tables / sizes.invoices, unit: 'bytes' },
    { name: 'their indexes', value: sizes.indexes / sizes.invoices, unit: 'bytes' },
    {
      name: 'grown by an invoice that is made and mailed, with PDF and EHF',
      value: (grown.tables + grown.indexes - sizes.tables - sizes.indexes) / sending.sent,
      unit: 'bytes',
    },
    ...backup,
  ];
}

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
async function measureLists(
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

const OPERATOR = join(import.meta.dirname, '..', 'scripts', 'operator.ts');

/** Backs up a part of the installation and restores it with the check of the ledger. */
async function measureBackup(harness: Harness, tenants: Tenants): Promise<Figure[]> {
  harness.say(`backup of ${tenants.companies.toLocaleString('en-GB')} companies …`);
  const url = await harness.newDatabase();
  await seedTenants(url, tenants, () => undefined);
  const file = join(await harness.newFolder(), 'faktur.backup');
  const backup = await run(url, 'db:backup', file);
  harness.say(`  backup: ${backup.toFixed(0)} s`);
  const restore = await run(await harness.newDatabase(), 'db:restore', file);
  harness.say(`  restore: ${restore.toFixed(0)} s`);
  const { size } = await stat(file);
  const of = `of ${tenants.companies.toLocaleString('en-GB')} companies`;
  return [
    { name: `backup ${of}`, value: backup, unit: 's' },
    { name: `restore and ledger check ${of}`, value: restore, unit: 's' },
    { name: `backup ${of}, its file`, value: size / 2 ** 20, unit: 'MB' },
  ];
}

/** Runs an operator's command; returns its duration in seconds. @throws Error when it fails */
async function run(url: string, ...args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [OPERATOR, ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url, SECRET_KEY },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
  return (performance.now() - began) / 1000;
}
