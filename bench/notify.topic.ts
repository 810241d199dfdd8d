import pg from 'pg';

import { openServer } from '../server/db/database.ts';
import { migrate } from '../server/db/migrate.ts';
import { startPostgres } from '../server/testing/postgres-cluster.ts';
import { untilStreaming } from '../server/testing/replication.ts';
import { createServerDatabase, withClient } from '../server/testing/server-database.ts';
import { startDelayingProxy, type DelayingProxy } from './delaying-proxy.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { inTurns, measureCalls, type Pace } from './load.ts';
import { PROFILE } from './person.ts';
import { logIn, putOffJobs } from './seed.ts';
import { SAMPLE_CONTENT } from './sample-invoices.ts';

const CALLERS = 32;
const ROUNDS = 3;
const STANDBY = 'bench';
/** Each has ten connections. */
const PROCESSES = 3;
/** More than one caller registers in a second. */
const RATE = 25;
/** To the standby and back, each way (milliseconds): the same machine, another hall, another city. */
const DISTANCES = [0, 1, 5];

interface World {
  readonly pool: pg.Pool;
  readonly line: DelayingProxy;
  readonly seconds: number;
  /** Registers the next draft, each of another company than the one before. */
  readonly register: () => Promise<void>;
}

/**
 * Registering as the product does it beside the same with a NOTIFY for each job, as it was: PostgreSQL lets one
 * transaction at a time notify, until its commit is on the disk and at the standby.
 */
export async function measureNotify(harness: Harness): Promise<Figure[]> {
  const world = await openWorld(harness);
  const figures: Figure[] = [];
  for (const distance of harness.options.quick ? [1] : DISTANCES) {
    world.line.delay = distance;
    const where = distance === 0 ? 'standby here' : `standby ${distance} ms away`;
    harness.say(where);
    const paces = await inTurns(ROUNDS, {
      before: async () => measure(world, true, world.register),
      after: async () => measure(world, false, world.register),
      bareBefore: async () => measure(world, true, async () => insertJob(world)),
      bareAfter: async () => measure(world, false, async () => insertJob(world)),
    });
    figures.push(
      rateOf(`register, ${where}`, paces.after, paces.before),
      slowestOf(`register, ${where}`, paces.after, paces.before),
      rateOf(`bare commit, ${where}`, paces.bareAfter, paces.bareBefore),
    );
  }
  return figures;
}

async function openWorld(harness: Harness): Promise<World> {
  const { seconds, quick } = harness.options;
  const { url, line } = await startPair(harness);
  const servers = await Promise.all(
    Array.from({ length: PROCESSES }, async () =>
      harness.newServer({ DATABASE_URL: url, ROLE: 'web' }),
    ),
  );
  const origins = servers.map(({ origin }) => origin);
  const pool = new pg.Pool({ connectionString: url, max: CALLERS });
  harness.defer(async () => pool.end());
  await putOffJobs(pool);
  await addSwitch(pool);
  const cookies: string[] = [];
  for (let caller = 0; caller < CALLERS; caller += 1) {
    cookies.push(await openCompany(url, origins[0] ?? '', caller));
  }
  const runs = 2 * ROUNDS * (quick ? 1 : DISTANCES.length);
  const drafts = await addDrafts(pool, Math.ceil(runs * seconds * RATE));
  let next = 0;
  const register = async () => {
    const uuid = drafts[next];
    if (uuid === undefined) throw new Error('There are too few drafts');
    const cookie = cookies[next % CALLERS] ?? '';
    const origin = origins[next % PROCESSES] ?? '';
    next += 1;
    await post(`${origin}/api/invoices/queue/?invoice_uuid=${uuid}`, cookie);
  };
  return { pool, line, seconds, register };
}

/** A primary whose commits wait for a standby at the end of a line, with a database of the product. */
async function startPair(harness: Harness): Promise<{ url: string; line: DelayingProxy }> {
  const primary = await startPostgres({ fsync: true });
  harness.defer(primary.stop);
  const line = await startDelayingProxy(primary.port);
  const standby = await startPostgres({ standbyOf: { port: line.port, name: STANDBY } });
  harness.defer(async () => line[Symbol.asyncDispose]());
  harness.defer(standby.stop);
  const { url } = await createServerDatabase(primary.url);
  const database = openServer(url, () => undefined);
  await migrate(database);
  await database.close();
  await withClient(primary.url, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
    await client.query('SELECT pg_reload_conf()');
  });
  await untilStreaming(primary.url, STANDBY, 'sync');
  return { url, line };
}

/** While it is on, each job that is added notifies the workers, as it did before. */
async function addSwitch(pool: pg.Pool): Promise<void> {
  await pool.query('CREATE TABLE notify_switch (is_on boolean NOT NULL)');
  await pool.query('INSERT INTO notify_switch VALUES (false)');
  await pool.query(`
    CREATE FUNCTION notify_of_job() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT is_on FROM notify_switch) THEN
        PERFORM pg_notify('pgboss_' || left(encode(sha224('jobs'), 'hex'), 24), NEW.name);
      END IF;
      RETURN NULL;
    END $$`);
  await pool.query(`
    CREATE TRIGGER job_notify AFTER INSERT ON jobs.job FOR EACH ROW EXECUTE FUNCTION notify_of_job()`);
  await pool.query('CREATE TABLE bare (name text)');
  await pool.query(`
    CREATE TRIGGER bare_notify AFTER INSERT ON bare FOR EACH ROW EXECUTE FUNCTION notify_of_job()`);
}

async function measure(
  { pool, seconds }: World,
  isOn: boolean,
  call: () => Promise<unknown>,
): Promise<Pace> {
  await pool.query('UPDATE notify_switch SET is_on = $1', [isOn]);
  return measureCalls(seconds, call, CALLERS);
}

async function insertJob({ pool }: World): Promise<void> {
  await pool.query(`INSERT INTO bare VALUES ('dispatch')`);
}

/** A company with a customer; the cookie of its owner. */
async function openCompany(url: string, origin: string, caller: number): Promise<string> {
  const cookie = await logIn(url, origin, `caller${caller}@bench.example`);
  await post(`${origin}/api/users/update/`, cookie, PROFILE);
  await post(`${origin}/api/customers/create/`, cookie, CUSTOMER);
  return cookie;
}

const CUSTOMER = {
  name: 'Ørsta Båt AS',
  email: 'kunde@bench.example',
  org_number: '974760673',
  address1: 'Kaia 2',
  postal_code: '6150',
  city: 'Ørsta',
};

/** So many drafts for each company; their uuids, the companies in turn as their owners were made. */
async function addDrafts(pool: pg.Pool, many: number): Promise<string[]> {
  const { lines, net, vat } = SAMPLE_CONTENT;
  const { rows } = await pool.query<{ uuid: string }>(
    `WITH made AS (
       INSERT INTO invoice (company_id, customer_id, delivery_type, issue_date, due_days,
         delivery_date, net_amount, vat_amount, gross_amount)
       SELECT company_id, id, 'EMAIL', '2026-11-01', 14, '2026-11-01', $2, $3, $2::bigint + $3
       FROM generate_series(1, $1::integer) AS number, customer
       ORDER BY number, company_id RETURNING id, uuid, company_id
     ), lines AS (
       INSERT INTO invoice_line (company_id, invoice_id, position, quantity, description,
         net_unit_amount, vat_rate)
       SELECT company_id, id, place, quantity, description, "netUnitAmount", "vatRate"
       FROM made, ROWS FROM (json_to_recordset($4) AS (quantity bigint, description text,
         "netUnitAmount" bigint, "vatRate" integer)) WITH ORDINALITY
         AS line (quantity, description, "netUnitAmount", "vatRate", place)
     )
     SELECT uuid FROM made ORDER BY id`,
    [many, net, vat, JSON.stringify(lines)],
  );
  await pool.query('ANALYZE');
  return rows.map(({ uuid }) => uuid);
}

async function post(address: string, cookie: string, body?: object): Promise<void> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

function rateOf(name: string, after: Pace, before: Pace): Figure {
  return {
    name: `${name}: ${CALLERS} callers`,
    value: after.rate,
    unit: '/s',
    peer: { name: 'NOTIFY for each job', value: before.rate },
  };
}

function slowestOf(name: string, after: Pace, before: Pace): Figure {
  return {
    name: `${name}: 95 % within`,
    value: after.p95,
    unit: 'ms',
    peer: { name: 'NOTIFY for each job', value: before.p95 },
  };
}
