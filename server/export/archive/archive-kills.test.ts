import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { openServer } from '../../platform/db/database.ts';
import { checkLedger } from '../../document/ledger.service.ts';
import { startTestApp } from '../../testing/app.ts';
import { companyIdOf, seedCompany } from '../../testing/company.ts';
import { databaseSettings, prepareProcessDatabase } from '../../testing/database.ts';
import { createDraft, createCustomer, register } from '../../testing/factories.ts';
import { NODE_SETTINGS, ROOT } from '../../testing/process.ts';
import { killRounds, SECRET_KEY } from '../../testing/stage.ts';
import { printArchive } from './archive.ts';
import { withArchive } from './archive-file.ts';
import { checkArchive } from './archive-check.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const ROUNDS = killRounds(1);
const OWNER = 'kari@fjordlys.no';
const INVOICES = 60;

let folder: string;
let file: string;
/** A database into which the whole archive was imported. */
let source: Target;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faktur-archive-kills-'));
  file = join(folder, 'whole.zip');
  const testApp = await startTestApp();
  try {
    const client = await testApp.login(OWNER);
    await seedCompany(client);
    const customer = await createCustomer(client);
    for (let made = 0; made < INVOICES; made += 1) {
      await register(client, await createDraft(client, customer));
    }
    const companyId = await companyIdOf(testApp.context.db, OWNER);
    await writeFile(file, printArchive(testApp.context, { companyId }, new Date()));
  } finally {
    await testApp.close();
  }
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

interface Target {
  readonly settings: NodeJS.ProcessEnv;
  /** The number of companies; each has books in order. */
  companies(): Promise<number>;
  close(): Promise<void>;
}

async function openTarget(): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'faktur-archive-target-'));
  const onServer = await prepareProcessDatabase(dataDir);
  if (!onServer) throw new Error('This test needs a server');
  return {
    settings: { ...databaseSettings(onServer.url), DATA_DIR: dataDir, SECRET_KEY },
    async companies() {
      const database = openServer(onServer.url, () => undefined);
      try {
        const reports = await Array.fromAsync(checkLedger(database.db));
        expect(reports.map(({ fault }) => fault)).toEqual(reports.map(() => null));
        expect(reports.every(({ documents }) => documents > INVOICES)).toBe(true);
        return reports.length;
      } finally {
        await database.close();
      }
    },
    async close() {
      await onServer.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs the command, and kills it after this time. Returns how long it took when it ended by itself before, else null. */
async function run(
  settings: NodeJS.ProcessEnv,
  args: readonly string[],
  killAfter: number,
): Promise<number | null> {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'scripts/operator.ts'), 'company', ...args], {
    env: { ...NODE_SETTINGS, ...settings },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const hasEnded = exit.then(() => true);
  const isOver = await Promise.race([hasEnded, sleep(killAfter, false)]);
  if (!isOver) child.kill('SIGKILL');
  await exit;
  return child.exitCode === 0 ? performance.now() - begun : null;
}

/** When to kill in a round, each later: the first half of a command is its start, which has written nothing. */
function momentIn(whole: number, round: number): number {
  return whole * (0.5 + (0.5 * (round - Math.random())) / ROUNDS);
}

/** The connection of a killed process ends, and its transaction with it, a moment later. */
async function settled(target: Target): Promise<number> {
  await sleep(300);
  return target.companies();
}

test('a killed import leaves the whole company or nothing of it, and may be begun again', async () => {
  source = await openTarget();
  const whole = (await run(source.settings, ['import', file], 240_000)) ?? 0;
  expect(whole).toBeGreaterThan(0);
  expect(await settled(source)).toBe(1);

  for (let round = 1; round <= ROUNDS; round += 1) {
    const target = await openTarget();
    try {
      const ended = await run(target.settings, ['import', file], momentIn(whole, round));
      const companies = await settled(target);
      expect(companies).toBeGreaterThanOrEqual(ended === null ? 0 : 1);
      const again = companies === 0 ? await run(target.settings, ['import', file], 240_000) : 0;
      expect(again).not.toBeNull();
      expect(await settled(target)).toBe(1);
    } finally {
      await target.close();
    }
  }
});

test('a killed export leaves no half file under its name', async () => {
  const complete = join(folder, 'first.zip');
  const whole = (await run(source.settings, ['export', OWNER, complete], 240_000)) ?? 0;
  await withArchive(complete, checkArchive);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const named = join(folder, `round-${round}.zip`);
    const ended = await run(source.settings, ['export', OWNER, named], momentIn(whole, round));
    expect(ended === null || existsSync(named)).toBe(true);
    if (existsSync(named)) await withArchive(named, checkArchive);
  }
});
