import pg from 'pg';

import { todayInOslo } from '../domain/date.ts';
import { BARE_READS, bareCreate, bareRegister } from './bare-statements.ts';
import type { Figure } from './figure.ts';
import { CALLERS, inTurns, measureCalls, measureEach, measureHttp, type Pace } from './load.ts';
import { Outbox, signUp, type Person } from './person.ts';
import { SAMPLE_LINES } from './sample-invoices.ts';
import { addDrafts, logIn, putOffJobs } from './seed.ts';
import { seedInvoices } from './seed-tenants.ts';
import type { Harness } from './harness.ts';

const ROUNDS = 3;
const MEMBERS = 1000;

interface Api {
  readonly companyId: number;
  readonly origin: string;
  readonly cookie: string;
  readonly pool: pg.Pool;
  readonly seconds: number;
}

async function openApi(harness: Harness): Promise<Api> {
  const { quick, seconds } = harness.options;
  const url = await harness.newDatabase();
  const companyId = await seedInvoices(url, quick ? 1000 : 10_000);
  const { origin } = await harness.newServer({ DATABASE_URL: url });
  const cookie = await logIn(url, origin);
  const pool = new pg.Pool({ connectionString: url, max: CALLERS });
  harness.defer(async () => pool.end());
  await putOffJobs(pool);
  return { companyId, origin, cookie, pool, seconds };
}

/** Everyday calls, compared with their database statements alone. */
export async function measureApi(harness: Harness): Promise<Figure[]> {
  const api = await openApi(harness);
  return [
    ...(await measureList(api)),
    ...(await measureRead(api)),
    ...(await measureCreate(api)),
    ...(await measureQueue(api)),
    ...(await measureEmbedded(harness)),
  ];
}

/** The list, compared with one handwritten statement for the same page. */
async function measureList(api: Api): Promise<Figure[]> {
  const { pool, companyId, seconds } = api;
  const values = [companyId];
  const paces = await inTurns(ROUNDS, {
    http: async () => get(api, '/api/invoices/'),
    bare: async () => measureCalls(seconds, () => pool.query({ ...BARE_READS.list, values })),
    rows: async () => measureCalls(seconds, () => pool.query({ ...BARE_READS.rows, values })),
  });
  return [
    {
      ...rateOf('list: a page of 20', paces.http, 'bare query', paces.bare),
      target: { is: 'at least', bound: 0.45 },
    },
    rateOf('list: a page of 20', paces.http, 'SELECT * without lines', paces.rows),
    latencyOf('list', paces.http),
  ];
}

async function measureRead(api: Api): Promise<Figure[]> {
  const { pool, companyId, seconds } = api;
  const values = [companyId, 7];
  const paces = await inTurns(ROUNDS, {
    http: async () => get(api, '/api/invoices/7/'),
    bare: async () => measureCalls(seconds, () => pool.query({ ...BARE_READS.one, values })),
  });
  return [rateOf('read: one invoice', paces.http, 'bare query', paces.bare)];
}

async function measureCreate(api: Api): Promise<Figure[]> {
  const paces = await inTurns(ROUNDS, {
    http: async () =>
      measureHttp({
        url: `${api.origin}/api/invoices/create/`,
        cookie: api.cookie,
        seconds: api.seconds,
        method: 'POST',
        body: DRAFT,
      }),
    bare: async () => measureCalls(api.seconds, () => bareCreate(api.pool, api.companyId)),
  });
  return [
    {
      ...rateOf('create: one draft', paces.http, 'bare transaction', paces.bare),
      target: { is: 'at least', bound: 0.5 },
    },
  ];
}

const DRAFT = {
  customer_numbers: [1],
  delivery_type: 'NONE',
  issue_date: todayInOslo(),
  due_days: 14,
  invoice_lines: SAMPLE_LINES,
};

/**
 * Registers one draft at a time. All belong to one company, so they wait for each other. They are to be mailed, so
 * each adds a job; the jobs do not run meanwhile.
 */
async function measureQueue(api: Api): Promise<Figure[]> {
  const { pool, companyId } = api;
  const many = Math.round(api.seconds * 100);
  const paces = await inTurns(ROUNDS, {
    http: async () => queueDrafts(api, many),
    bare: async () =>
      measureEach(await addDrafts(pool, companyId, many), (uuid) =>
        bareRegister(pool, companyId, [uuid]),
      ),
  });
  return [
    {
      ...rateOf('queue: register one draft', paces.http, 'bare transaction', paces.bare),
      target: { is: 'at least', bound: 0.5 },
    },
  ];
}

async function queueDrafts(api: Api, many: number): Promise<Pace> {
  const uuids = await addDrafts(api.pool, api.companyId, many);
  let next = 0;
  return measureHttp({
    url: api.origin,
    cookie: api.cookie,
    seconds: 0,
    amount: many,
    method: 'POST',
    prepare: (request) => {
      next += 1;
      return { ...request, path: `/api/invoices/queue/?invoice_uuid=${uuids[next % many] ?? ''}` };
    },
  });
}

/** The same two calls on the embedded database, whose one connection everybody shares. */
async function measureEmbedded(harness: Harness): Promise<Figure[]> {
  const folder = await harness.newFolder();
  const { origin } = await harness.newServer({ DATA_DIR: folder });
  const person = await signUp(origin, new Outbox(folder), 'kari@example.no');
  await addDraftsOfMembers(person);
  const uuids: string[] = [];
  const create = async () => {
    const answer = await person.call('POST', '/api/invoices/create/', DRAFT);
    const drafts = (await answer.json()) as { uuid: string }[];
    uuids.push(...drafts.map(({ uuid }) => uuid));
  };
  const { created } = await inTurns(ROUNDS, {
    created: async () => measureCalls(harness.options.seconds, create),
  });
  const registered = await measureEach(uuids, async (uuid) =>
    (await person.call('POST', `/api/invoices/queue/?invoice_uuid=${uuid}`)).arrayBuffer(),
  );
  const target = { is: 'at least', bound: 200 } as const;
  return [
    { name: 'embedded: create one draft', value: created.rate, unit: '/s', target },
    { name: 'embedded: register one draft, without mail', value: registered.rate, unit: '/s' },
  ];
}

/** Updates the statistics of PostgreSQL after the bulk, as autovacuum does within about a minute. */
async function addDraftsOfMembers(person: Person): Promise<void> {
  const numbers = Array.from({ length: MEMBERS }, (_, index) => index + 1);
  const rows = numbers.map((number) => ({ name: `Medlem ${number}` }));
  await person.call('POST', '/api/customers/import/', { rows });
  await person.call('POST', '/api/invoices/create/', { ...DRAFT, customer_numbers: numbers });
}

async function get(api: Api, path: string): Promise<Pace> {
  return measureHttp({ url: `${api.origin}${path}`, cookie: api.cookie, seconds: api.seconds });
}

function rateOf(name: string, pace: Pace, peer: string, beside: Pace): Figure {
  return { name, value: pace.rate, unit: '/s', peer: { name: peer, value: beside.rate } };
}

function latencyOf(name: string, pace: Pace): Figure {
  return { name: `${name}: 95 % within, ${CALLERS} callers at once`, value: pace.p95, unit: 'ms' };
}
