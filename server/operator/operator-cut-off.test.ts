import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { wrapEmbedded } from '../platform/db/database.ts';
import { openEmbeddedDatabase } from '../platform/db/embedded.ts';
import { NODE_SETTINGS, runScript } from '../testing/process.ts';
import { openStage, type Product, type Stage } from '../testing/stage.ts';

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';

let stage: Stage;
let folder: string;
let server: Product;

/** A database whose backup is far larger than socket buffers: it does not compress. */
async function fill(): Promise<void> {
  const database = wrapEmbedded(await openEmbeddedDatabase(folder));
  await sql`
    INSERT INTO suppressed_address (email, reason)
    SELECT string_agg(md5(row || '-' || part), ''), 'BOUNCE'
    FROM generate_series(1, 10000) row, generate_series(1, 25) part GROUP BY row`.execute(
    database.db,
  );
  await database.close();
}

/** Starts a backup and returns when part of it has arrived. */
async function beginBackup(name: string): Promise<ChildProcess> {
  const file = join(folder, name);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../scripts/operator.ts'), 'db:backup', file],
    { env: { ...NODE_SETTINGS, DATA_DIR: folder }, stdio: 'ignore' },
  );
  const partial = `${file}.partial-${child.pid}`;
  const size = () => (existsSync(partial) ? statSync(partial).size : 0);
  await vi.waitUntil(() => size() > 0, { interval: 5, timeout: 240_000 });
  return child;
}

/** A call that needs the database. */
async function isReady(): Promise<boolean> {
  const { status } = await fetch(`${server.origin}/readyz`, {
    signal: AbortSignal.timeout(15_000),
  });
  return status === 200;
}

describe.runIf(isEmbedded)('a backup of the embedded database', () => {
  beforeAll(async () => {
    stage = await openStage();
    folder = stage.dataDir;
    await fill();
    server = await stage.startHere();
  });
  afterAll(async () => stage.close());

  test.each([
    ['SIGINT', []],
    ['SIGTERM', []],
    // After SIGKILL nothing can be cleaned up.
    ['SIGKILL', [expect.stringContaining('.partial-')]],
  ] as const)('that is ended with %s ends nothing else', async (signal, left) => {
    const child = await beginBackup(signal);
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
    expect(await isReady()).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith(signal))).toEqual(left);
    expect(server.log.join('\n')).not.toContain('"level":50');
  });

  test('that is stopped delays others for seconds, and is then abandoned', async () => {
    const child = await beginBackup('stopped');
    child.kill('SIGSTOP');
    expect(await isReady()).toBe(true);
    await vi.waitUntil(() => server.log.join('\n').includes('operator command was not read'), {
      timeout: 30_000,
    });
    const exit = once(child, 'exit');
    child.kill('SIGCONT');
    expect(await exit).toEqual([1, null]);
    expect(existsSync(join(folder, 'stopped'))).toBe(false);
  });

  test('of one company of several may be said with an option, wherever it stands', async () => {
    const nobody = ['company', 'export', 'ingen@example.no', '--company', 'x', join(folder, 'one')];
    const said = await runScript('scripts/operator.ts', { DATA_DIR: folder }, ...nobody);
    expect(said).toEqual({ code: 1, output: expect.stringContaining('There is no account') });
  });

  test('is complete when nothing interrupts it', async () => {
    const file = join(folder, 'whole');
    const settings = { DATA_DIR: folder };
    const { code, output } = await runScript('scripts/operator.ts', settings, 'db:backup', file);
    expect(output).toMatch(/^\d+ rows, 0 of them invoices\n$/);
    expect(code).toBe(0);
    expect(statSync(file).size).toBeGreaterThan(3_000_000);
  });
});
