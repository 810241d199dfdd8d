import { setTimeout as sleep } from 'node:timers/promises';

import { addDays, todayInOslo } from '../domain/date.ts';
import { withClient } from '../server/testing/server-database.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { percentile } from './load.ts';
import { SAMPLE_LINES } from './sample-invoices.ts';
import { logIn } from './seed.ts';
import { ownerOf, seedTenants } from './seed-tenants.ts';

const INVOICES = 20_000;
const QUICK_INVOICES = 1000;
/** `seedTenants` makes the first of two companies so many times as large as the average. */
const TIMES_AVERAGE = 200;
const [DELETED, NEIGHBOUR] = [1, 2];
const WARM_UP = 20;
const LOOK = 10;

/** How long deleting a company with all its books takes, and what registering in another company takes meanwhile. */
export async function measureClosing(harness: Harness): Promise<Figure[]> {
  const { quick, seconds } = harness.options;
  const invoices = quick ? QUICK_INVOICES : INVOICES;
  const url = await harness.newDatabase();
  const tenants = { companies: NEIGHBOUR, invoicesEach: invoices / TIMES_AVERAGE };
  await seedTenants(url, tenants, (message) => harness.say(message));
  const { origin } = await harness.newServer({ DATABASE_URL: url, FEATURES: 'closing' });
  const cookie = await logIn(url, origin, ownerOf(NEIGHBOUR));
  const register = async () => registerOne(origin, cookie);
  for (let i = 0; i < WARM_UP; i += 1) await register();
  const end = performance.now() + seconds * 1000;
  const before = await timeWhile(() => performance.now() < end, register);
  let duration: number | undefined;
  const deleting = deleteBooks(url).then((taken) => (duration = taken));
  const meanwhile = await timeWhile(() => duration === undefined, register);
  const compared = ([50, 95] as const).map((share): Figure => ({
    name: `another company makes and registers an invoice meanwhile, ${share} % within`,
    value: percentile(meanwhile, share),
    unit: 'ms',
    peer: { name: 'before', value: percentile(before, share) },
  }));
  return [
    {
      name: `a company with ${invoices.toLocaleString('en-GB')} invoices deleted`,
      value: (await deleting) / 1000,
      unit: 's',
    },
    ...compared,
  ];
}

/** Does something again and again, one after the other. Returns how long each took (milliseconds). */
async function timeWhile(
  isWanted: () => boolean,
  work: () => Promise<unknown>,
): Promise<readonly number[]> {
  const times: number[] = [];
  while (isWanted()) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}

async function registerOne(origin: string, cookie: string): Promise<void> {
  const post = async (path: string, body: object = {}) => {
    const headers = { cookie, 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(origin + path, options);
    if (!answer.ok) throw new Error(`${path} got ${answer.status}: ${await answer.text()}`);
    return answer.json() as Promise<unknown>;
  };
  const [draft] = (await post('/api/invoices/create/', {
    customer_numbers: [1],
    delivery_type: 'NONE',
    issue_date: todayInOslo(),
    due_days: 14,
    invoice_lines: SAMPLE_LINES,
  })) as { uuid: string }[];
  await post(`/api/invoices/queue/?invoice_uuid=${draft?.uuid}`);
}

/** Lets the running server delete the first company, and returns how long its transaction took (milliseconds). */
async function deleteBooks(url: string): Promise<number> {
  return withClient(url, async (client) => {
    await client.query(`UPDATE company SET closed_at = now() - interval '31 days' WHERE id = $1`, [
      DELETED,
    ]);
    await client.query(
      `INSERT INTO company_closing (company_id, closed_by, keep, deletes_on)
       VALUES ($1, gen_random_uuid(), false, $2)`,
      [DELETED, addDays(todayInOslo(), -1)],
    );
    await client.query(`INSERT INTO jobs.job (name, data) VALUES ('closing', '{"payload": {}}')`);
    for (;;) {
      const { rows } = await client.query<{ taken: number }>(
        `SELECT 1000 * extract(epoch FROM clock_timestamp() - deleted_at)::float8 AS taken
         FROM closed_books WHERE deleted_id = $1`,
        [DELETED],
      );
      if (rows[0]) return rows[0].taken;
      await sleep(LOOK);
    }
  });
}
