import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { databaseSettings, prepareProcessDatabase } from './testing/database.ts';
import type { TestClient } from './testing/client.ts';
import { completeProfile, createCustomer, invoiceBody } from './testing/factories.ts';
import { type ProductProcess, runScript, startProcess } from './testing/process.ts';

// Several real processes per test are slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';
const running: ProductProcess[] = [];

let settings: NodeJS.ProcessEnv;
let removeData: () => Promise<void>;

/** Prepares a database for the processes: one with our tables, or a new one. */
async function prepareData({ isNew = false } = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'faktur-process-'));
  const database = await prepareProcessDatabase(folder, { isNew });
  settings = {
    DATA_DIR: folder,
    ...(database && { ...databaseSettings(database.url), SECRET_KEY: 's'.repeat(32) }),
  };
  removeData = async () => {
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map(async (server) => server.kill()));
  await removeData();
});

async function start(extra: NodeJS.ProcessEnv = {}): Promise<ProductProcess> {
  const server = await startProcess({ ...settings, ...extra });
  running.push(server);
  return server;
}

async function operate(...args: string[]) {
  return operateIn(settings, ...args);
}

async function operateIn(environment: NodeJS.ProcessEnv, ...args: string[]) {
  return runScript('scripts/operator.ts', environment, ...args);
}

/** A client with its own account, which reads its code from the log. */
async function loginTo(server: ProductProcess, email: string): Promise<TestClient> {
  const client = server.visitor();
  await client.post('/api/users/register/email/', { email });
  const code = await vi.waitUntil(
    () => new RegExp(`Login code for ${email}: ([A-Z0-9]{6})`).exec(server.log.join('\n'))?.[1],
    { timeout: 60_000 },
  );
  const login = await client.post('/api/users/login/verify/', { email, registration_token: code });
  expect(login.status).toBe(200);
  return client;
}

// FEAT-8
test('logs its address; SIGTERM lets a request finish, and the process exits with 0', async () => {
  await prepareData();
  const server = await start();
  await expect
    .poll(() => server.log)
    .toContain(`Faktur kjører på http://localhost:${new URL(server.origin).port}`);
  const body = JSON.stringify({ email: 'slow@example.no' });
  const slow = request(`${server.origin}/api/users/login/email/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      // Answered as soon as the request has begun, however busy the machine is.
      expect: '100-continue',
    },
  });
  slow.flushHeaders();
  await once(slow, 'continue');
  slow.write(body.slice(0, 5));
  process.kill(server.pid, 'SIGTERM');
  await expect.poll(() => server.log.join('\n')).toContain('"stopping"');
  slow.end(body.slice(5));
  const [response] = await once(slow, 'response');
  expect(response.statusCode).toBe(204);
  response.resume();
  expect(await server.stop()).toBe(0);
});

// The same on both, and cheaper here.
test.runIf(!isEmbedded)(
  'an unknown operator command gets a list of the commands, and a backup never replaces a file',
  async () => {
    await prepareData();
    const { code, output } = await operate('backup');
    expect(code).toBe(2);
    expect(output).toContain('There is no command backup. There are staff, token,');
    const file = join(settings['DATA_DIR'] ?? '', 'faktur.backup');
    await writeFile(file, 'kept');
    expect((await operate('db:backup', file)).code).toBe(1);
    expect(await readFile(file, 'utf8')).toBe('kept');
    const nowhere = await operate('db:backup', join(file, 'nowhere'));
    expect(nowhere.code).toBe(1);
    expect(nowhere.output).toMatch(/^The backup was not made: .* cannot be written \(ENOTDIR.*\n$/);
  },
);

test('a backup of the running system fills an empty database with the same', async () => {
  await prepareData();
  const server = await start();
  const client = await loginTo(server, 'backup@example.no');
  await completeProfile(client);
  const customer = await createCustomer(client);
  await client.post('/api/invoices/create/', invoiceBody([customer]));
  await client.post('/api/invoices/queue/');
  const file = join(settings['DATA_DIR'] ?? '', 'faktur.backup');

  const backup = await operate('db:backup', file);
  expect(backup.code).toBe(0);
  expect(backup.output).toContain('1 of them invoices');
  const early = await operate('db:restore', file, '--force');
  expect(early.code).toBe(1);
  expect(early.output).toMatch(/Another process is using|Faktur is running/);

  await client.delete('/api/invoices/1/');
  await server.stop();
  const restore = await operate('db:restore', file, '--force');
  expect(restore.code).toBe(0);
  const restored = (await start()).visitor(client.cookieHeader);
  expect((await restored.get('/api/invoices/1/')).body.status).toBe('REGISTERED');
});

describe.runIf(isEmbedded)('the embedded database', () => {
  test('belongs to one process, which accepts commands only from its operator, and is free when that process is killed', async () => {
    await prepareData();
    const nowhere = { DATA_DIR: join(settings['DATA_DIR'] ?? '', 'empty') };
    expect(await operateIn(nowhere, 'staff', 'list')).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no database in'),
    });
    expect((await operateIn(nowhere, 'db:restore')).code).toBe(2);
    expect((await operateIn(nowhere, 'db:restore', 'no.backup')).output).toContain(
      'cannot be read as a backup',
    );
    expect(existsSync(join(nowhere.DATA_DIR, 'postgres'))).toBe(false);
    const first = await start();
    const second = await runScript('server/main.ts', { ...settings, PORT: '0' });
    expect(second).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^Another process is using the database in .*Stop it first.*\n$/,
      ),
    });
    const { mode } = statSync(join(settings['DATA_DIR'] ?? '', 'operator.sock'));
    expect(mode & 0o777).toBe(0o600);
    expect(await operate('staff', 'list')).toEqual({ code: 0, output: 'Nobody is staff.\n' });
    await first.kill();
    // A left-over socket disturbs neither a command nor the next start.
    expect(await operate('staff', 'list')).toEqual({ code: 0, output: 'Nobody is staff.\n' });
    await start();
    expect(await operate('staff', 'list')).toEqual({ code: 0, output: 'Nobody is staff.\n' });
  });
});

describe.runIf(!isEmbedded)('a database on a server', () => {
  test('is prepared once by processes that start together', async () => {
    await prepareData({ isNew: true });
    const servers = await Promise.all(Array.from({ length: 3 }, async () => start()));
    const answers = await Promise.all(servers.map(async ({ origin }) => fetch(`${origin}/readyz`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 3 }, () => 200));
  });
});
