import pg from 'pg';

import { todayInOslo } from '../domain/date.ts';
import { openServer, type Db } from '../server/db/database.ts';
import { firstPageQuery } from '../server/invoice/invoice-list.repository.ts';
import { BARE, bareCreate, bareRegister } from './bare-queries.ts';
import type { Figure } from './figure.ts';
import { CALLERS, inTurns, measureCalls, measureHttp, type Pace } from './load.ts';
import { addDrafts, logIn, seedInvoices, type Seeded } from './seed.ts';
import type { Workshop } from './workshop.ts';

const ROUNDS = 3;

interface Api extends Seeded {
  readonly origin: string;
  readonly cookie: string;
  readonly pool: pg.Pool;
  /** The product's own way to the database. */
  readonly db: Db;
  readonly seconds: number;
}

async function openApi(workshop: Workshop): Promise<Api> {
  const { quick, seconds } = workshop.options;
  const url = await workshop.newDatabase();
  const seeded = await seedInvoices(url, { invoices: quick ? 1000 : 10_000 });
  const { origin } = await workshop.newServer({ DATABASE_URL: url });
  const cookie = await logIn(url, origin);
  const pool = new pg.Pool({ connectionString: url, max: CALLERS });
  workshop.defer(async () => pool.end());
  const database = openServer(url, () => undefined);
  workshop.defer(async () => database.close());
  return { ...seeded, origin, cookie, pool, db: database.db, seconds };
}

/** The calls that people make all day, beside what they ask of the database. */
export async function measureApi(workshop: Workshop): Promise<Figure[]> {
  const api = await openApi(workshop);
  return [
    ...(await measureList(api)),
    ...(await measureRead(api)),
    ...(await measureCreate(api)),
    ...(await measureQueue(api)),
  ];
}

/**
 * The list beside the statement that it asks, through the same driver and prepared as well, and
 * beside the least that somebody would write by hand for the same page.
 */
async function measureList(api: Api): Promise<Figure[]> {
  const { pool, companyId, db } = api;
  const { sql: text, parameters } = firstPageQuery(companyId).compile(db);
  const values = [...parameters];
  const paces = await inTurns(ROUNDS, {
    http: async () => get(api, '/api/invoices/'),
    bare: async () =>
      measureCalls(api.seconds, () => pool.query({ name: 'own-list', text, values })),
    byHand: async () =>
      measureCalls(api.seconds, () => pool.query({ ...BARE.list, values: [companyId] })),
    rows: async () =>
      measureCalls(api.seconds, () => pool.query({ ...BARE.rows, values: [companyId] })),
  });
  return [
    {
      ...rateOf('list: a page of 20', paces.http, 'bare query', paces.bare),
      target: { is: 'at least', bound: 0.5 },
    },
    rateOf('list: a page of 20', paces.http, 'SELECT * without lines', paces.rows),
    rateOf('list: a page of 20', paces.http, 'the least by hand', paces.byHand),
    latencyOf('list', paces.http),
  ];
}

async function measureRead(api: Api): Promise<Figure[]> {
  const { pool, companyId } = api;
  const paces = await inTurns(ROUNDS, {
    http: async () => get(api, '/api/invoices/7/'),
    bare: async () =>
      measureCalls(api.seconds, () => pool.query({ ...BARE.read, values: [companyId, 7] })),
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
  return [rateOf('create: one draft', paces.http, 'bare transaction', paces.bare)];
}

const DRAFT = {
  customer_numbers: [1],
  delivery_type: 'NONE',
  issue_date: todayInOslo(),
  due_days: 14,
  invoice_lines: [
    {
      invoiced_quantity: 2,
      description: 'Profildesign',
      net_unit_amount: 1250,
      vat_rate_percentage: 25,
    },
    { invoiced_quantity: 3, description: 'Kaffe', net_unit_amount: 149.9, vat_rate_percentage: 15 },
  ],
};

/** Registering one draft at a time. All are of one company, so they wait for each other. */
async function measureQueue(api: Api): Promise<Figure[]> {
  const many = Math.round(api.seconds * 100);
  const paces = await inTurns(ROUNDS, {
    http: async () => queueDrafts(api, many),
    bare: async () => {
      await addDrafts(api.pool, api.companyId, many);
      return measureCalls(api.seconds / 2, () => bareRegister(api.pool, api.companyId, 1));
    },
  });
  return [rateOf('queue: register one draft', paces.http, 'bare transaction', paces.bare)];
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

async function get(api: Api, path: string): Promise<Pace> {
  return measureHttp({ url: `${api.origin}${path}`, cookie: api.cookie, seconds: api.seconds });
}

function rateOf(name: string, pace: Pace, peer: string, beside: Pace): Figure {
  return { name, value: pace.rate, unit: '/s', peer: { name: peer, value: beside.rate } };
}

function latencyOf(name: string, pace: Pace): Figure {
  return { name: `${name}: 95 % within, ${CALLERS} callers at once`, value: pace.p95, unit: 'ms' };
}
