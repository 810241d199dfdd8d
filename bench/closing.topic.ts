import { setTimeout as sleep } from 'node:timers/promises';

import { addDays, todayInOslo } from '../domain/date.ts';
import { withClient } from '../server/testing/server-database.ts';
import { until } from '../server/testing/until.ts';
import { beside, type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { measureWhile } from './load.ts';
import { ask, logIn, type Person } from './person.ts';
import { SAMPLE_LINES } from './sample-invoices.ts';
import { ownerOf, seedCompanies } from './seed-companies.ts';

const INVOICES = 20_000;
const QUICK_INVOICES = 1000;
const [DELETED, NEIGHBOUR] = [1, 2];
const WARM_UP = 20;
const LOOK = 10;
const TIMEOUT = 30 * 60_000;

/** How long deleting a company with all its books takes, and what registering in another company takes meanwhile. */
export async function measureClosing(harness: Harness): Promise<Figure[]> {
  const { quick, seconds } = harness.options;
  const invoices = quick ? QUICK_INVOICES : INVOICES;
  const url = await harness.newDatabase();
  await seedCompanies(url, [invoices, invoices / 10]);
  const { origin } = await harness.newServer({ DATABASE_URL: url, FEATURES: 'closing' });
  const person = await logIn(url, origin, ownerOf(NEIGHBOUR));
  const register = async () => registerOne(person);
  for (let i = 0; i < WARM_UP; i += 1) await register();
  const before = await measureWhile(async () => sleep(seconds * 1000), register);
  let duration = 0;
  const deleting = async () => (duration = await deleteBooks(url));
  const meanwhile = await measureWhile(deleting, register);
  const name = 'another company makes and registers an invoice meanwhile';
  return [
    figure(
      `a company with ${invoices.toLocaleString('en-GB')} invoices deleted`,
      duration / 1000,
      's',
    ),
    figure(`${name}, 50 % within`, meanwhile.p50, 'ms', beside('before', before.p50)),
    figure(`${name}, 95 % within`, meanwhile.p95, 'ms', beside('before', before.p95)),
  ];
}

async function registerOne(person: Person): Promise<void> {
  const [draft] = await ask<{ uuid: string }[]>(person, 'POST', '/api/invoices/create/', {
    customer_numbers: [1],
    delivery_type: 'NONE',
    issue_date: todayInOslo(),
    due_days: 14,
    invoice_lines: SAMPLE_LINES,
  });
  await ask(person, 'POST', `/api/invoices/queue/?invoice_uuid=${draft?.uuid}`);
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
    const look = async () =>
      client.query<{ taken: number }>(
        `SELECT 1000 * extract(epoch FROM clock_timestamp() - deleted_at)::float8 AS taken
         FROM closed_books WHERE deleted_id = $1`,
        [DELETED],
      );
    const { rows } = await until(look, (found) => found.rows.length > 0, TIMEOUT, LOOK);
    return rows[0]?.taken ?? Number.NaN;
  });
}
