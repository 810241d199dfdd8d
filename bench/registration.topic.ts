import pg from 'pg';

import { bareRegister } from './bare-statements.ts';
import type { Figure } from './figure.ts';
import { median, timed } from './load.ts';
import { addDrafts, logIn, putOffJobs } from './seed.ts';
import { seedInvoices } from './seed-tenants.ts';
import type { Harness } from './harness.ts';

const ROUNDS = 3;

/** Gives a company three webhooks. Nobody answers there: the call is measured, before anything is sent. */
const WEBHOOKS = `
  INSERT INTO webhook (company_id, url, events, secret)
  SELECT $1, 'https://webhook.invalid/' || number, '{*}', '' FROM generate_series(1, 3) number`;

/**
 * 'Registrer og send' of a membership's yearly invoices, compared with the necessary database writes by hand and with
 * three webhooks that are told of each.
 */
export async function measureRegistration(harness: Harness): Promise<Figure[]> {
  const many = harness.options.quick ? 1000 : 10_000;
  const url = await harness.newDatabase();
  const companyId = await seedInvoices(url, 0);
  const { origin } = await harness.newServer({ DATABASE_URL: url, FEATURES: 'integrations' });
  const cookie = await logIn(url, origin);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  harness.defer(async () => pool.end());
  await putOffJobs(pool);
  // PostgreSQL keeps plans of a connection's first call, which is for one invoice more often than for ten thousand.
  await addDrafts(pool, companyId, 1);
  await queueAll(origin, cookie, 1);
  await bareRegister(pool, companyId, await addDrafts(pool, companyId, 1));
  const times = { product: [] as number[], notified: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await addDrafts(pool, companyId, many);
    times.product.push(await timed(() => queueAll(origin, cookie, many)));
    await addDrafts(pool, companyId, many);
    await pool.query(WEBHOOKS, [companyId]);
    times.notified.push(await timed(() => queueAll(origin, cookie, many)));
    await pool.query('DELETE FROM webhook WHERE company_id = $1', [companyId]);
    const drafts = await addDrafts(pool, companyId, many);
    times.bare.push(await timed(() => bareRegister(pool, companyId, drafts)));
  }
  return [
    {
      name: `register ${many.toLocaleString('en-GB')} drafts in one call`,
      value: median(times.product) / 1000,
      unit: 's',
      peer: { name: 'bare transaction', value: median(times.bare) / 1000 },
      target: { is: 'at most', bound: 3 },
    },
    {
      name: 'the same with three webhooks',
      value: median(times.notified) / 1000,
      unit: 's',
      peer: { name: 'without', value: median(times.product) / 1000 },
      target: { is: 'at most', bound: 1.1 },
    },
  ];
}

async function queueAll(origin: string, cookie: string, drafts: number): Promise<void> {
  const answer = await fetch(`${origin}/api/invoices/queue/`, {
    method: 'POST',
    headers: { cookie },
  });
  const { registered } = (await answer.json()) as { registered: unknown[] };
  if (registered.length !== drafts) throw new Error(`Only ${registered.length} were registered`);
}
