import pg from 'pg';

import { todayInOslo } from '../domain/date.ts';
import { atLeast, beside, type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { CALLERS, inTurns, measureCalls, measureEach, measureHttp, type Pace } from './load.ts';
import { ask, logIn, type Person, signUp } from './person.ts';
import { SAMPLE_LINES } from './sample-invoices.ts';
import { seedInvoices } from './seed-companies.ts';
import { addDrafts, putOffJobs } from './seed.ts';

const ROUNDS = 3;
const MEMBERS = 1000;

/** The rows of a page of the list, without what they refer to: the least that PostgreSQL and its driver take. */
const PAGE = `SELECT * FROM invoice WHERE company_id = $1
  ORDER BY invoice_number DESC NULLS FIRST, id DESC LIMIT 20`;
const DRAFT = {
  customer_numbers: [1],
  delivery_type: 'NONE',
  issue_date: todayInOslo(),
  due_days: 14,
  invoice_lines: SAMPLE_LINES,
};

/** Everyday calls, beside the rows of a page alone. */
export async function measureApi(harness: Harness): Promise<Figure[]> {
  const { quick, seconds } = harness.options;
  const url = await harness.newDatabase();
  const companyId = await seedInvoices(url, quick ? 1000 : 10_000);
  const { origin } = await harness.newServer({ DATABASE_URL: url });
  const person = await logIn(url, origin);
  const pool = new pg.Pool({ connectionString: url, max: CALLERS });
  harness.defer(async () => pool.end());
  await putOffJobs(pool);
  const post = { method: 'POST', body: DRAFT } as const;
  const get = (path: string) => async () => measureHttp({ person, path, seconds });
  const reading = await inTurns(ROUNDS, {
    rows: async () =>
      measureCalls(seconds, () => pool.query({ name: 'page', text: PAGE, values: [companyId] })),
    list: get('/api/invoices/'),
    read: get('/api/invoices/7/'),
  });
  // Afterwards, since drafts make the list slower.
  const { create } = await inTurns(ROUNDS, {
    create: async () => measureHttp({ person, path: '/api/invoices/create/', seconds, ...post }),
  });
  const { queue } = await inTurns(ROUNDS, {
    queue: async () =>
      queueDrafts(person, await addDrafts(pool, companyId, Math.round(seconds * 100))),
  });
  const rows = beside('SELECT * of a page', reading.rows.rate);
  return [
    figure('list: a page of 20', reading.list.rate, '/s', rows),
    figure(`list: 95 % within, ${CALLERS} callers at once`, reading.list.p95, 'ms'),
    figure('read: one invoice', reading.read.rate, '/s', rows),
    figure('create: one draft', create.rate, '/s', rows),
    figure('queue: register one draft', queue.rate, '/s', rows),
    ...(await measureEmbedded(harness)),
  ];
}

/**
 * Registers one draft at a time. All belong to one company, so they wait for each other. They are to be mailed, so
 * each adds a job; the jobs do not run meanwhile.
 */
async function queueDrafts(person: Person, uuids: readonly string[]): Promise<Pace> {
  let next = 0;
  return measureHttp({
    person,
    path: '/api/invoices/queue/',
    seconds: 0,
    amount: uuids.length,
    method: 'POST',
    prepare: (request) => {
      next += 1;
      const uuid = uuids[next % uuids.length] ?? '';
      return { ...request, path: `/api/invoices/queue/?invoice_uuid=${uuid}` };
    },
  });
}

/** The same two calls on the embedded database, whose one connection everybody shares. */
async function measureEmbedded(harness: Harness): Promise<Figure[]> {
  const folder = await harness.newFolder();
  const { origin } = await harness.newServer({ DATA_DIR: folder });
  const person = await signUp(origin, folder, 'kari@example.no');
  await addDraftsOfMembers(person);
  const uuids: string[] = [];
  const create = async () => {
    const drafts = await ask<{ uuid: string }[]>(person, 'POST', '/api/invoices/create/', DRAFT);
    uuids.push(...drafts.map(({ uuid }) => uuid));
  };
  const { created } = await inTurns(ROUNDS, {
    created: async () => measureCalls(harness.options.seconds, create),
  });
  const registered = await measureEach(uuids, async (uuid) =>
    ask(person, 'POST', `/api/invoices/queue/?invoice_uuid=${uuid}`),
  );
  return [
    figure('embedded: create one draft', created.rate, '/s', atLeast(200)),
    figure('embedded: register one draft, without mail', registered.rate, '/s'),
  ];
}

/** Updates the statistics of PostgreSQL after the bulk, as autovacuum does within about a minute. */
async function addDraftsOfMembers(person: Person): Promise<void> {
  const numbers = Array.from({ length: MEMBERS }, (_, index) => index + 1);
  const rows = numbers.map((number) => ({ name: `Medlem ${number}` }));
  await ask(person, 'POST', '/api/customers/import/', { rows });
  await ask(person, 'POST', '/api/invoices/create/', { ...DRAFT, customer_numbers: numbers });
}
