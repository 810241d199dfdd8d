import pg from 'pg';

import { customerSearchText } from '../domain/search-text.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { median, percentile } from './load.ts';
import { logIn } from './seed.ts';

const ROUNDS = 3;
/** What the other company has. */
const OTHERS = 25;
const IDLE_LOOKS = 60;

interface Row {
  readonly customer_number?: number;
  readonly name: string;
  readonly email: string;
  readonly phone_number: string;
  readonly address1: string;
  readonly postal_code: string;
  readonly city: string;
}

/**
 * Ten thousand customers in one call, beside the same rows inserted by hand, and how long another company's list
 * of customers takes meanwhile.
 */
export async function measureCustomers(harness: Harness): Promise<Figure[]> {
  const many = harness.options.quick ? 1000 : 10_000;
  const url = await harness.newDatabase();
  const { origin } = await harness.newServer({ DATABASE_URL: url });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  harness.defer(async () => pool.end());
  const other = await logIn(url, origin, 'nabo@example.no');
  await post(origin, other, rowsOf(OTHERS));
  const rates = {
    tried: [] as number[],
    added: [] as number[],
    saved: [] as number[],
    bare: [] as number[],
  };
  const beside: number[] = [];
  const alone: number[] = [];
  while (alone.length < IDLE_LOOKS) await look(origin, other, alone);
  for (let round = 0; round < ROUNDS; round += 1) {
    const cookie = await logIn(url, origin, `import${round}@example.no`);
    const rows = rowsOf(many);
    const changed = rows.map((row, index) =>
      Object.assign({}, row, { customer_number: index + 1, city: 'Bergen' }),
    );
    const watched = async (work: Promise<unknown>) => watch(origin, other, beside, work);
    rates.tried.push(many / (await timed(async () => post(origin, cookie, rows, '?dry_run=true'))));
    rates.added.push(many / (await timed(async () => watched(post(origin, cookie, rows)))));
    rates.saved.push(many / (await timed(async () => watched(post(origin, cookie, changed)))));
    rates.bare.push(
      many / (await timed(async () => insert(pool, `bare${round}@example.no`, rows))),
    );
  }
  const peer = { name: 'inserts by hand', value: median(rates.bare) };
  return [
    {
      name: `import ${many.toLocaleString('en-GB')} new customers`,
      value: median(rates.added),
      unit: '/s',
      peer,
    },
    { name: 'the same, tried', value: median(rates.tried), unit: '/s', peer },
    { name: 'the same, known and changed', value: median(rates.saved), unit: '/s', peer },
    {
      name: 'p95 of another company’s list meanwhile',
      value: p95(beside),
      unit: 'ms',
      peer: { name: 'idle', value: p95(alone) },
    },
  ];
}

function rowsOf(many: number): Row[] {
  return Array.from({ length: many }, (_, index) => ({
    name: `Medlem Medlemsen ${index}`,
    email: `medlem${index}@example.no`,
    phone_number: String(90_000_000 + index),
    address1: `Storgata ${index}`,
    postal_code: '0155',
    city: 'Oslo',
  }));
}

async function post(
  origin: string,
  cookie: string,
  rows: readonly Row[],
  query = '',
): Promise<void> {
  const answer = await fetch(`${origin}/api/customers/import/${query}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ rows }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The import answered ${answer.status}: ${text.slice(0, 200)}`);
}

/** Looks at another company's list until the work is done. */
async function watch(
  origin: string,
  cookie: string,
  times: number[],
  work: Promise<unknown>,
): Promise<void> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  while (!state.isDone) await look(origin, cookie, times);
  await done;
}

async function look(origin: string, cookie: string, times: number[]): Promise<void> {
  const seconds = await timed(async () => {
    const answer = await fetch(`${origin}/api/customers/`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`The list answered ${answer.status}`);
    await answer.arrayBuffer();
  });
  times.push(seconds * 1000);
}

/** The same rows with every index of the product on, by somebody who knows already that all are new. */
async function insert(pool: pg.Pool, email: string, rows: readonly Row[]): Promise<void> {
  const { rows: companies } = await pool.query<{ id: string }>(
    `WITH owner AS (INSERT INTO account (email) VALUES ($1) RETURNING id)
     INSERT INTO company (account_id) SELECT id FROM owner RETURNING id`,
    [email],
  );
  const given = rows.map((row, index) => {
    const customer = { ...row, customerNumber: index + 1, orgNumber: null };
    return Object.assign({}, row, {
      customer_number: index + 1,
      search_text: customerSearchText(customer),
    });
  });
  await pool.query(
    `INSERT INTO customer (company_id, customer_number, name, email, phone_number, address1,
       postal_code, city, search_text)
     SELECT $1, customer_number, name, email, phone_number, address1, postal_code, city, search_text
     FROM json_populate_recordset(NULL::customer, $2)`,
    [companies[0]?.id, JSON.stringify(given)],
  );
}

/** Seconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

function p95(times: readonly number[]): number {
  return percentile(
    times.toSorted((left, right) => left - right),
    95,
  );
}
