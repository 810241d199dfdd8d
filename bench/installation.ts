import { setTimeout as sleep } from 'node:timers/promises';

import { withClient } from '../server/testing/server-database.ts';
import type { Harness, RunningServer } from './harness.ts';
import { ownerOf, seedTenants, type Tenants } from './seed-tenants.ts';
import { logIn } from './seed.ts';
import { startSink, type Sink } from './smtp-sink.ts';

/** Companies that work at the same time. */
const VISITORS = 200;
/** Step between company ids, so that all sizes are reached in no order. */
const STRIDE = 7919;
/** Interval of an operator's scrapes (milliseconds). */
const SCRAPE_EVERY = 1000;
/** Finished jobs for each company; the queue keeps them for an hour. */
const JOBS_EACH = 2;

/** A logged-in user of a company. */
export interface Visitor {
  readonly companyId: number;
  readonly cookie: string;
}

export interface Installation {
  readonly url: string;
  readonly server: RunningServer;
  readonly sink: Sink;
  readonly tenants: Tenants;
  readonly visitors: readonly Visitor[];
  /** A user of the largest company. */
  readonly largest: Visitor;
}

/** Fills a database, starts the product on it, and logs in the owners of some companies. */
export async function openInstallation(harness: Harness, tenants: Tenants): Promise<Installation> {
  const { companies } = tenants;
  const url = await harness.newDatabase();
  await writeWithoutPause(url);
  harness.say(`${companies.toLocaleString('en-GB')} companies …`);
  await seedTenants(url, tenants, (message) => harness.say(`  ${message}`));
  const sink = await startSink(harness);
  const server = await harness.newServer({
    DATABASE_URL: url,
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
  });
  await addFinishedJobs(url, companies * JOBS_EACH);
  const enter = async (companyId: number): Promise<Visitor> => ({
    companyId,
    cookie: await logIn(url, server.origin, ownerOf(companyId)),
  });
  const visitors: Visitor[] = [];
  for (let index = 0; index < Math.min(VISITORS, companies); index += 1) {
    visitors.push(await enter(1 + ((index * STRIDE + 12) % companies)));
  }
  return { url, server, sink, tenants, visitors, largest: await enter(1) };
}

/** Otherwise a checkpoint at each gigabyte would take most of the seeding time. */
async function writeWithoutPause(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`ALTER SYSTEM SET max_wal_size = '4GB'`);
    await client.query('SELECT pg_reload_conf()');
  });
}

/** Adds the finished jobs of an hour of sending. */
async function addFinishedJobs(url: string, many: number): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO jobs.job (name, data, state, created_on, started_on, completed_on, singleton_key)
       SELECT 'deliver', jsonb_build_object('payload', jsonb_build_object('deliveryId', -number)),
         'completed', now(), now(), now(), '-' || number
       FROM generate_series(1, $1::integer) AS number`,
      [many],
    );
    await client.query('ANALYZE');
  });
}

/** Scrapes the metrics as an operator does, until stopped; returns the duration of each scrape (milliseconds). */
export function scrape(harness: Harness, { server }: Installation): () => readonly number[] {
  const times: number[] = [];
  const over = new AbortController();
  const stop = () => {
    over.abort();
    return times;
  };
  harness.defer(() => void stop());
  void (async () => {
    while (!over.signal.aborted) {
      const began = performance.now();
      const answer = await fetch(`${server.origin}/metrics`);
      await answer.arrayBuffer();
      times.push(performance.now() - began);
      await sleep(SCRAPE_EVERY);
    }
  })();
  return stop;
}

/** Disk usage of an installation. */
interface Bytes {
  readonly invoices: number;
  readonly tables: number;
  readonly indexes: number;
}

/** Excludes the queue. */
export async function measureBytes({ url }: Installation): Promise<Bytes> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<Record<keyof Bytes, string>>(
      `SELECT (SELECT sum(registered + paid + cancelled) FROM invoice_count) AS invoices,
         sum(pg_table_size(oid)) AS tables, sum(pg_indexes_size(oid)) AS indexes
       FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    const [row] = rows;
    return {
      invoices: Number(row?.invoices),
      tables: Number(row?.tables),
      indexes: Number(row?.indexes),
    };
  });
}
