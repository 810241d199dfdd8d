import pg from 'pg';

import { atMost, beside, type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { median, timed } from './load.ts';
import { ask, logIn, type Person } from './person.ts';
import { seedInvoices } from './seed-companies.ts';
import { addDrafts, putOffJobs } from './seed.ts';

const ROUNDS = 3;

/** Gives a company three webhooks. Nobody answers there: the call is measured, before anything is sent. */
const WEBHOOKS = `
  INSERT INTO webhook (company_id, url, events, secret)
  SELECT $1, 'https://webhook.invalid/' || number, '{*}', '' FROM generate_series(1, 3) number`;

/** 'Registrer og send' of a membership's yearly invoices, without and with three webhooks that are told of each. */
export async function measureRegistration(harness: Harness): Promise<Figure[]> {
  const many = harness.options.quick ? 1000 : 10_000;
  const url = await harness.newDatabase();
  const companyId = await seedInvoices(url, 0);
  const { origin } = await harness.newServer({ DATABASE_URL: url, FEATURES: 'integrations' });
  const person = await logIn(url, origin);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  harness.defer(async () => pool.end());
  await putOffJobs(pool);
  const register = async (drafts: number) => {
    await addDrafts(pool, companyId, drafts);
    return timed(async () => queueAll(person, drafts));
  };
  // PostgreSQL keeps plans of a connection's first call, which is for one invoice more often than for ten thousand.
  await register(1);
  const times = { alone: [] as number[], notified: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.alone.push(await register(many));
    await pool.query(WEBHOOKS, [companyId]);
    times.notified.push(await register(many));
    await pool.query('DELETE FROM webhook WHERE company_id = $1', [companyId]);
  }
  const alone = median(times.alone) / 1000;
  const notified = median(times.notified) / 1000;
  return [
    figure(`register ${many.toLocaleString('en-GB')} drafts in one call`, alone, 's'),
    figure('the same with three webhooks', notified, 's', beside('without', alone), atMost(1.1)),
  ];
}

async function queueAll(person: Person, drafts: number): Promise<void> {
  const { registered } = await ask<{ registered: unknown[] }>(
    person,
    'POST',
    '/api/invoices/queue/',
  );
  if (registered.length !== drafts) throw new Error(`Only ${registered.length} were registered`);
}
