import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createCustomer, createDraft, register } from '../../server/testing/factories.ts';
import { freePort, runScript } from '../../server/testing/process.ts';
import { readWithPoppler } from '../../server/testing/poppler.ts';
import {
  quietEnvironment,
  startPostgres,
  unprivilegedIdentity,
  type PostgresCluster,
} from '../../server/testing/postgres-cluster.ts';
import { findPostgresPrograms } from '../../server/testing/programs.ts';
import { askPostgres, createServerDatabase } from '../../server/testing/server-database.ts';
import { logIn, openStage, SECRET_KEY, type Stage } from '../../server/testing/stage.ts';
import { until } from '../../server/testing/until.ts';
import { openPrograms, type Programs } from '../programs.ts';

const FOLDER = import.meta.dirname;
const DOCS = fs.readFileSync(join(FOLDER, '../../docs/operations.md'), 'utf8');
/** Longer than the precision of a point in time (milliseconds). */
const APART = 1500;

let programs: Programs;
let cluster: PostgresCluster;
let environment: Record<string, string>;
let port: string;
let stage: Stage;

beforeAll(async () => {
  programs = openPrograms();
  port = String(await freePort());
  environment = {
    PGBACKREST_CONFIG: join(programs.folder, 'pgbackrest.conf'),
    PGBACKREST_LOG_PATH: programs.folder,
    PGBACKREST_LOCK_PATH: join(programs.folder, 'lock'),
    PGBACKREST_PG1_USER: 'faktur',
  };
  cluster = await startPostgres({
    settings: settingsIn('postgresql.conf'),
    environment,
  });
  environment = {
    ...environment,
    PGBACKREST_PG1_PORT: String(cluster.port),
    PGBACKREST_PG1_SOCKET_PATH: cluster.folder,
  };
  const text = fs.readFileSync(join(FOLDER, 'pgbackrest.conf'), 'utf8');
  fs.writeFileSync(environment['PGBACKREST_CONFIG'] ?? '', here(text));
});
afterAll(async () => {
  await stage?.close();
  await cluster?.stop();
  await programs?.close();
});

/** The lines of a PostgreSQL configuration. */
function settingsIn(file: string): Record<string, string> {
  const lines = fs.readFileSync(join(FOLDER, file), 'utf8').matchAll(/^(\w+) = '?(.*?)'?$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

/** Replaces the operator's folders by ours. */
function here(text: string): string {
  return text
    .replaceAll('/var/lib/postgresql/faktur/data', join(cluster.folder, 'data'))
    .replaceAll('/var/lib/postgresql/faktur/', `${programs.folder}/`)
    .replaceAll('/var/lib/pgbackrest', join(programs.folder, 'repository'))
    .replaceAll('/usr/lib/postgresql/15/bin/pg_ctl', findPostgresPrograms()?.pgCtl ?? '')
    .replaceAll('5433', port);
}

/** Runs a command as the operator's page gives it. */
function run(beginning: string, changes: Record<string, string> = {}): void {
  const line = DOCS.split('\n').find((each) => each.trim().startsWith(beginning));
  if (line === undefined) throw new Error(`docs/operations.md has no command ${beginning}`);
  const command = Object.entries(changes).reduce(
    (text, [from, to]) => text.replace(from, to),
    here(line.trim().replace(/ +#.*$/, '')),
  );
  runAsPostgres(command);
}

function runAsPostgres(command: string): void {
  const done = spawnSync('sh', ['-c', command], {
    ...unprivilegedIdentity(),
    cwd: '/',
    env: { ...quietEnvironment(), ...environment },
    // PostgreSQL keeps inherited pipes open, and we would wait for them.
    stdio: ['ignore', 'ignore', fs.openSync(join(programs.folder, 'commands.log'), 'a')],
  });
  const log = fs.readFileSync(join(programs.folder, 'commands.log'), 'utf8');
  expect({ command, status: done.status, log: done.status === 0 ? '' : log }).toEqual({
    command,
    status: 0,
    log: '',
  });
}

test('a database is restored to a moment between two registrations', async () => {
  run('pgbackrest --stanza=faktur stanza-create');
  run('pgbackrest --stanza=faktur check');
  const database = await createServerDatabase(cluster.url);
  stage = await openStage({}, { databaseUrl: database.url });
  const product = await stage.start();
  const client = await logIn(product, stage.smtp, 'kari@example.no');
  const customer = await createCustomer(client);
  // After the backup: a registration to keep, the moment, and a registration to lose.
  run('pgbackrest --stanza=faktur --type=full backup');
  const first = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  expect(await register(client, first)).toBe(1);
  await stage.smtp.waitForMail(({ subject }) => subject.startsWith('Faktura 1 '));
  const mailed = await until(
    async () => client.get(`/api/invoices/${first}/`),
    ({ body }) => body.delivery_status === 'SENT',
  );
  await sleep(APART);
  const [row] = await askPostgres(database.url, 'SELECT clock_timestamp()::text AS moment');
  await sleep(APART);
  const second = await createDraft(client, customer);
  expect(await register(client, second)).toBe(2);
  await product.kill();
  run('pgbackrest --stanza=faktur check');
  cluster.kill();

  run('pgbackrest --stanza=faktur --pg1-path', {
    '2026-11-22 03:12:00+01': String(row?.['moment']),
  });
  run('/usr/lib/postgresql/15/bin/pg_ctl -D');
  const restored = new URL(database.url);
  restored.port = port;
  const ledger = await runScript(
    'scripts/operator.ts',
    { DATABASE_URL: restored.href, SECRET_KEY },
    'ledger',
    'check',
  );
  expect(ledger).toMatchObject({ code: 0 });

  const again = await stage.start({ DATABASE_URL: restored.href });
  const visitor = again.visitor(client.cookieHeader);
  expect((await visitor.get('/api/invoices/')).body).toMatchObject({ summary: { registered: 1 } });
  expect((await visitor.get(`/api/invoices/${first}/`)).body).toEqual(mailed.body);
  expect((await visitor.get(`/api/invoices/${second}/`)).status).toBe(404);
  const pdf = await fetch(`${again.origin}/invoices/${first}/pdf/`, {
    headers: { cookie: client.cookieHeader },
  });
  expect(pdf.status).toBe(200);
  const read = readWithPoppler(stage.dataDir, new Uint8Array(await pdf.arrayBuffer()));
  expect(read.text()).toContain('Ørsta Båt AS');
  await again.stop();

  run('/usr/lib/postgresql/15/bin/pg_ctl -m fast');
  run('mv /var/lib/postgresql/faktur/data ');
  run('mv /var/lib/postgresql/faktur/restored ');
  run("sed -i '/^archive_mode/d'");
  const { folder } = cluster;
  runAsPostgres(`${findPostgresPrograms()?.pgCtl} -D ${folder}/data -l ${folder}/log -w start`);
  const ever = await stage.start();
  const caller = ever.visitor(client.cookieHeader);
  expect(await register(caller, await createDraft(caller, customer))).toBe(2);
  run('pgbackrest --stanza=faktur check');
  run('pgbackrest --stanza=faktur --type=full backup');
});
