import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';

import { openServer, type Database } from '../platform/db/database.ts';
import { checkLedger } from '../document/ledger.service.ts';
import type { TestClient } from '../testing/client.ts';
import { createCustomer, invoiceBody } from '../testing/factories.ts';
import { ROOT, runScript } from '../testing/process.ts';
import { tally, untilAllSent } from '../testing/sends.ts';
import { createServerDatabase } from '../testing/server-database.ts';
import { logIn, openStage, type Product, type Stage } from '../testing/stage.ts';
import { startTcpProxy, type TcpProxy } from '../testing/proxies.ts';
import { until } from '../testing/until.ts';

vi.setConfig({ testTimeout: 300_000 });

const CALLERS = 3;
/** A caller waits this long between two invoices (milliseconds). */
const PAUSE = 700;
/** Duration of each state of the upgrade under load (milliseconds). */
const STRETCH = 1000;
const SECRET_KEY = 'a secret for tests that is long enough';
const BOOKS = join(ROOT, 'server/testing/fixtures/before-baseline.backup');

function urlOf(file: string): string {
  return pathToFileURL(resolve(ROOT, file)).href;
}

/** A migration of each kind, on the tables with the most writes. */
const NEXT = {
  '9001-next-column': `
    import { sql } from 'kysely';
    export const migration = { up: async (db) => {
      await sql\`ALTER TABLE invoice ADD COLUMN next_note text,
        ADD CONSTRAINT next_note_length CHECK (length(next_note) < 100) NOT VALID\`.execute(db);
      await sql\`ALTER TABLE delivery ADD COLUMN next_carrier text NOT NULL DEFAULT 'EMAIL'\`.execute(db);
    } };`,
  '9002-next-index': `
    import { sql } from 'kysely';
    import { createIndex } from '${urlOf('server/platform/db/migration.ts')}';
    export const migration = { online: true, up: async (db) => {
      await createIndex(db, { name: 'next_index', on: sql\`invoice (company_id, next_note)\` });
      await sql\`ALTER TABLE invoice VALIDATE CONSTRAINT next_note_length\`.execute(db);
    } };`,
};

let stage: Stage;
let folder: string;
let proxy: TcpProxy;
let database: Database;

beforeEach(async () => {
  stage = await openStage({ headersOnly: true });
  folder = await mkdtemp(join(tmpdir(), 'faktur-version-'));
  database = openServer(stage.directUrl ?? '', () => undefined);
});
afterEach(async () => {
  await database.close();
  await proxy.close();
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

const SETTINGS = {
  LOGIN_LIMIT_PER_IP: '100',
  // No process dies here, so no mail is repeated. Within the stage's two seconds one could be: a mail that the mail
  // server takes and answers later counts as unanswered, and is rightly handed over again with its Message-ID.
  SMTP_TIMEOUT_SECONDS: '60',
};

/** Stops a process as an operator does: it gets no more calls, finishes its work, and ends. */
async function takeOut(leaving: Product, staying: Product): Promise<void> {
  proxy.sendTo([staying.origin]);
  await until(
    () => proxy.openTo(leaving.origin),
    (open) => open === 0,
  );
  expect(await leaving.stop()).toBe(0);
}

/** Runs users' work until stopped, and returns their errors. */
function putUnderLoad(cookie: string, customer: number) {
  const end = new AbortController();
  const faults: string[] = [];
  let registered = 0;
  const call = async (method: string, path: string, body?: object) => {
    try {
      const response = await fetch(`${proxy.origin}${path}`, {
        method,
        headers: {
          cookie,
          connection: 'close',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status >= 400) faults.push(`${path}: ${response.status} ${text}`);
      return JSON.parse(text) as unknown;
    } catch (error) {
      faults.push(`${path}: ${String(error)}`);
      return null;
    }
  };
  const work = async () => {
    while (!end.signal.aborted) {
      const body = invoiceBody([customer], { delivery_type: 'EMAIL' });
      const drafts = await call('POST', '/api/invoices/create/', body);
      const uuid = (drafts as { uuid: string }[] | null)?.[0]?.uuid;
      if (uuid === undefined) continue;
      await call('POST', `/api/invoices/queue/?invoice_uuid=${uuid}`);
      registered += 1;
      await call('GET', '/api/invoices/');
      await sleep(PAUSE);
    }
  };
  const callers = Array.from({ length: CALLERS }, work);
  return async () => {
    end.abort();
    await Promise.all(callers);
    return { faults, registered };
  };
}

interface Outcome {
  readonly client: TestClient;
  readonly faults: readonly string[];
  readonly registered: number;
}

/**
 * Makes a module that lets a process be of the next version: this one with the migrations of NEXT. All else is read and
 * kept compiled as ever, which as a copy in another folder it would not be.
 *
 * @returns the settings of such a process
 */
async function makeNextVersion(): Promise<NodeJS.ProcessEnv> {
  const names = Object.keys(NEXT);
  const files = names.map((name) => join(folder, `${name}.ts`));
  const imports = files.map(
    (file, index) => `import { migration as next${index} } from '${urlOf(file)}';\n`,
  );
  const lines = names.map((name, index) => `  '${name}': next${index},\n`);
  const module = `
    import { registerHooks } from 'node:module';
    const list = /(export const MIGRATIONS: Migrations = \\{\\n(?: {2}[^\\n]*\\n)*)\\};/;
    registerHooks({ load(url, context, load) {
      const loaded = load(url, context);
      if (url !== '${urlOf('server/platform/db/migrate.ts')}') return loaded;
      const text = String(loaded.source);
      if (!list.test(text)) throw new Error(url + ' does not list its migrations');
      const source = ${JSON.stringify(imports.join(''))} + text.replace(list, (_, known) =>
        known + ${JSON.stringify(lines.join(''))} + '};');
      return { ...loaded, source };
    } });`;
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [index, source] of Object.values(NEXT).entries()) {
    await writeFile(files[index] ?? '', source);
  }
  await writeFile(join(folder, 'next.mjs'), module);
  return { NODE_OPTIONS: `--import ${urlOf(join(folder, 'next.mjs'))}` };
}

/** Replaces one of two processes, then takes out the other. */
async function upgrade(after: NodeJS.ProcessEnv): Promise<Outcome> {
  // This version runs in this process, and the next one in a process of its own.
  const [first, second] = [await stage.startHere(SETTINGS), await stage.startHere(SETTINGS)];
  proxy = await startTcpProxy([first.origin, second.origin]);
  const client = await logIn(second, stage.smtp, 'kari@example.no');
  const customer = await createCustomer(client);
  const stop = putUnderLoad(client.cookieHeader, customer);
  await sleep(STRETCH);

  await takeOut(first, second);
  const third = await stage.start({ ...SETTINGS, ...after });
  proxy.sendTo([second.origin, third.origin]);
  await sleep(STRETCH);

  await takeOut(second, third);
  await sleep(STRETCH);
  return { client: third.visitor(client.cookieHeader), ...(await stop()) };
}

/** Asserts that no call failed, no number is missing, and each invoice was mailed once. */
async function expectWhole({ client, faults, registered }: Outcome): Promise<void> {
  expect(faults).toEqual([]);
  expect(registered).toBeGreaterThan(CALLERS);
  const reports = await Array.fromAsync(checkLedger(database.db));
  expect(reports).toMatchObject([{ documents: registered, fault: null }]);
  await untilAllSent(client, registered);
  expect(tally(stage.smtp.mails)).toEqual({ invoices: registered, repeated: 0, doubled: 0 });
}

async function migrationsOf({ db }: Pick<Database, 'db'>): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT name, indisvalid AS valid FROM migration
    LEFT JOIN pg_index ON indexrelid = to_regclass('next_index')
    WHERE name LIKE '9%' ORDER BY name`.execute(db);
  return rows;
}

test('a newer version with a migration of each kind takes over while users work', async () => {
  const next = await makeNextVersion();
  await expectWhole(await upgrade(next));
  const migrated = [
    { name: '9001-next-column', valid: true },
    { name: '9002-next-index', valid: true },
  ];
  expect(await migrationsOf(database)).toEqual(migrated);

  // A backup of the previous version, and one from before the baseline, are restored through both kinds.
  const ours = join(folder, 'ours.backup');
  const operator = 'scripts/operator.ts';
  const settings = { DATABASE_URL: stage.directUrl, SECRET_KEY };
  const backup = await runScript(operator, settings, 'db:backup', ours);
  expect(backup).toMatchObject({ code: 0 });
  for (const file of [ours, BOOKS]) {
    const other = await createServerDatabase(inject('postgresUrl'));
    const target = { ...settings, ...next, DATABASE_URL: other.url };
    const { output } = await runScript(operator, target, 'db:restore', file);
    expect(output).toContain('all in order');
    const restored = openServer(other.url, () => undefined);
    expect(await migrationsOf(restored)).toEqual(migrated);
    await restored.close();
    await other.drop();
  }
});
