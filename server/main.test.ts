import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { runOperatorCommand } from './operator/run-command.ts';
import { databaseSettings, prepareProcessDatabase } from './testing/database.ts';
import type { TestClient } from './testing/client.ts';
import { completeProfile, createCustomer, invoiceBody } from './testing/factories.ts';
import { type ProductProcess, runScript, startProcess } from './testing/process.ts';
import { askPostgres } from './testing/server-database.ts';

// Several real processes per test are slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';
const running: ProductProcess[] = [];

let settings: NodeJS.ProcessEnv;
let folder: string;
let removeData: () => Promise<void>;
/** The process that has the data open. */
let server: ProductProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faktur-process-'));
  // Two processes that start together make the tables on a server.
  const database = await prepareProcessDatabase(folder, { isNew: !isEmbedded });
  settings = {
    DATA_DIR: folder,
    ...(database && { ...databaseSettings(database.url), SECRET_KEY: 's'.repeat(32) }),
  };
  removeData = async () => {
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  };
});

afterAll(async () => {
  await Promise.all(running.map(async (one) => one.kill()));
  await removeData();
});

async function start(): Promise<ProductProcess> {
  const started = await startProcess(settings);
  running.push(started);
  return started;
}

async function operate(...args: string[]) {
  return runScript('scripts/operator.ts', settings, ...args);
}

/** Runs an operator's command in this process, as it would run at a terminal of its own. */
async function operateHere(environment: NodeJS.ProcessEnv, name: string, ...args: string[]) {
  for (const [key, value] of Object.entries(environment)) vi.stubEnv(key, value);
  const lines: string[] = [];
  try {
    const code = await runOperatorCommand(name, args, {
      line: (text) => lines.push(text),
      bytes: async () => undefined,
    });
    return { code, output: lines.join('\n') };
  } finally {
    vi.unstubAllEnvs();
  }
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

/** Asks a process to end while it receives a request. */
async function endGently(leaving: ProductProcess): Promise<void> {
  await expect
    .poll(() => leaving.log)
    .toContain(`Faktur kjører på http://localhost:${new URL(leaving.origin).port}`);
  const body = JSON.stringify({ email: 'slow@example.no' });
  const slow = request(`${leaving.origin}/api/users/login/email/`, {
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
  process.kill(leaving.pid, 'SIGTERM');
  await expect.poll(() => leaving.log.join('\n')).toContain('"stopping"');
  slow.end(body.slice(5));
  const [response] = await once(slow, 'response');
  expect(response.statusCode).toBe(204);
  response.resume();
  expect(await leaving.stop()).toBe(0);
}

/** Backs up a running system, tries to restore beside it, ends it, and restores. Returns whose session it was. */
async function backUpAndRestore(end: () => Promise<unknown>): Promise<TestClient> {
  const client = await loginTo(server, 'backup@example.no');
  await completeProfile(client);
  const customer = await createCustomer(client);
  await client.post('/api/invoices/create/', invoiceBody([customer]));
  await client.post('/api/invoices/queue/');
  const file = join(folder, 'faktur.backup');

  const backup = await operate('db:backup', file);
  expect(backup.code).toBe(0);
  expect(backup.output).toContain('1 of them invoices');
  const early = await operateHere(settings, 'db:restore', file, '--force');
  expect(early.code).toBe(1);
  expect(early.output).toMatch(/Another process is using|Faktur is running/);

  await client.delete('/api/invoices/1/');
  await end();
  expect(await operateHere(settings, 'db:restore', file, '--force')).toMatchObject({ code: 0 });
  return client;
}

describe.runIf(isEmbedded)('the embedded database', () => {
  test('is none in a folder without one, and a command makes none', async () => {
    const nowhere = { DATA_DIR: join(folder, 'empty') };
    expect(await operateHere(nowhere, 'staff', 'list')).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no database in'),
    });
    expect((await operateHere(nowhere, 'db:restore')).code).toBe(2);
    expect((await operateHere(nowhere, 'db:restore', 'no.backup')).output).toContain(
      'cannot be read as a backup',
    );
    expect(existsSync(join(nowhere.DATA_DIR, 'postgres'))).toBe(false);
  });

  test('belongs to one process, which accepts commands only from its operator', async () => {
    server = await start();
    const second = await runScript('server/main.ts', { ...settings, PORT: '0' });
    expect(second).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^Another process is using the database in .*Stop it first.*\n$/,
      ),
    });
    const { mode } = statSync(join(folder, 'operator.sock'));
    expect(mode & 0o777).toBe(0o600);
    expect(await operate('staff', 'list')).toEqual({ code: 0, output: 'Nobody is staff.\n' });
  });

  // FEAT-8
  test('is filled with the same by a backup, and free when its process is killed; SIGTERM lets a request finish', async () => {
    const { cookieHeader } = await backUpAndRestore(async () => server.kill());
    // The left-over socket disturbed neither the command nor the next start.
    const restored = await start();
    const invoice = await restored.visitor(cookieHeader).get('/api/invoices/1/');
    expect(invoice.body.status).toBe('REGISTERED');
    expect(await operateHere(settings, 'staff', 'list')).toEqual({
      code: 0,
      output: 'Nobody is staff.',
    });
    await endGently(restored);
  });
});

describe.runIf(!isEmbedded)('a database on a server', () => {
  // FEAT-8
  test('is prepared once by processes that start together; SIGTERM lets a request finish', async () => {
    const servers = await Promise.all([start(), start()]);
    const answers = await Promise.all(servers.map(async ({ origin }) => fetch(`${origin}/readyz`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    server = servers[0];
    await endGently(servers[1]);
  });

  test('is filled with the same by a backup of the running system', async () => {
    await backUpAndRestore(async () => server.stop());
    const statuses = await askPostgres(
      settings['DATABASE_URL'] ?? '',
      'SELECT status FROM invoice',
    );
    expect(statuses).toEqual([{ status: 'REGISTERED' }]);
  });

  // The same on both, and cheaper here.
  test('an unknown operator command gets a list of the commands, and a backup never replaces a file', async () => {
    const { code, output } = await operateHere(settings, 'backup');
    expect(code).toBe(2);
    expect(output).toContain('There is no command backup. There are staff, token,');
    const file = join(folder, 'kept.backup');
    await writeFile(file, 'kept');
    expect((await operate('db:backup', file)).code).toBe(1);
    expect(await readFile(file, 'utf8')).toBe('kept');
    const nowhere = await operate('db:backup', join(file, 'nowhere'));
    expect(nowhere.code).toBe(1);
    expect(nowhere.output).toMatch(/^The backup was not made: .* cannot be written \(ENOTDIR.*\n$/);
  });
});
