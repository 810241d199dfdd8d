import pg from 'pg';

import { bareRegister } from './bare-queries.ts';
import type { Figure } from './figure.ts';
import { median } from './load.ts';
import { addDrafts, logIn, seedInvoices } from './seed.ts';
import type { Workshop } from './workshop.ts';

const ROUNDS = 3;

/** 'Registrer og send' on a membership's yearly run, beside the least SQL that gives the numbers. */
export async function measureRegistration(workshop: Workshop): Promise<Figure[]> {
  const drafts = workshop.options.quick ? 1000 : 10_000;
  const product = await openCompany(workshop);
  const bare = await openCompany(workshop);
  const { origin } = await workshop.newServer({ DATABASE_URL: product.url });
  const cookie = await logIn(product.url, origin);
  const times = { product: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await addDrafts(product.pool, product.companyId, drafts);
    times.product.push(await timed(() => queueAll(origin, cookie, drafts)));
    await addDrafts(bare.pool, bare.companyId, drafts);
    times.bare.push(await timed(() => bareRegister(bare.pool, bare.companyId, drafts)));
  }
  return [
    {
      name: `register ${drafts.toLocaleString('en-GB')} drafts in one call`,
      value: median(times.product) / 1000,
      unit: 's',
      peer: { name: 'bare SQL', value: median(times.bare) / 1000 },
      target: { is: 'at most', bound: 3 },
    },
  ];
}

async function openCompany(workshop: Workshop) {
  const url = await workshop.newDatabase();
  const { companyId } = await seedInvoices(url, { invoices: 0 });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  workshop.defer(async () => pool.end());
  return { url, companyId, pool };
}

async function queueAll(origin: string, cookie: string, drafts: number): Promise<void> {
  const answer = await fetch(`${origin}/api/invoices/queue/`, {
    method: 'POST',
    headers: { cookie },
  });
  const { registered } = (await answer.json()) as { registered: unknown[] };
  if (registered.length !== drafts) throw new Error(`Only ${registered.length} were registered`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
