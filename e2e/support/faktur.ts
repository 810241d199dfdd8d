import { existsSync, rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';

import { wrapEmbedded, type Db } from '../../server/platform/db/database.ts';
import { openEmbeddedDatabase } from '../../server/platform/db/embedded.ts';
import {
  freePort,
  ROOT,
  runScript,
  startProcess,
  TEST_FEATURES,
} from '../../server/testing/process.ts';
import { endVisits, openBrowser, tellPages } from './browser.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';

export const STAFF_EMAIL = 'ansatt@faktur.test';

/** The product as in production: built web app, real server, embedded database, mail. */
export interface Faktur {
  readonly url: string;
  readonly mailbox: Mailbox;
  /** Restarts the process on the same data. The function may change the data meanwhile, for effects of passing time. */
  restart(change?: (db: Db) => Promise<void>): Promise<void>;
  /** Ends only the process, as when the server is down. */
  stop(): Promise<void>;
  /** @param changes of settings, only for this process */
  start(changes?: NodeJS.ProcessEnv): Promise<void>;
  /** Runs an operator's command, as `npm run` does. Returns its output. */
  operate(...words: readonly string[]): Promise<string>;
  close(): Promise<void>;
  /** Kills the process and removes its data, for the end of the test process, which waits for nothing. */
  abandon(): void;
}

async function changeData(dataDir: string, change: (db: Db) => Promise<void>): Promise<void> {
  const database = wrapEmbedded(await openEmbeddedDatabase(dataDir));
  await change(database.db);
  await database.close();
}

const SETTINGS = {
  STAFF_EMAILS: STAFF_EMAIL,
  SUPPORT_EMAIL: 'hjelp@faktur.test',
  // Nothing listens there, so no test calls the real register.
  BUSINESS_REGISTER_URL: 'http://127.0.0.1:9/api',
  FEATURES: TEST_FEATURES,
  LOG_LEVEL: 'warn',
};

/** @param settings environment variables, added to those of all tests */
export async function startFaktur(settings: NodeJS.ProcessEnv = {}): Promise<Faktur> {
  if (!existsSync(join(ROOT, 'dist/web/index.html'))) {
    throw new Error('The web app is not built: run the journeys with npm test.');
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'faktur-e2e-'));
  await cp(inject('embeddedTemplates').dataDir, dataDir, { recursive: true });
  const mailbox = await openMailbox();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const environment = {
    ...SETTINGS,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    ...settings,
  };
  let server = await startProcess(environment);
  const stop = async () => void (await server.stop());
  const start = async (changes: NodeJS.ProcessEnv = {}) => {
    server = await startProcess({ ...environment, ...changes });
  };
  return {
    url,
    mailbox,
    stop,
    start,
    restart: async (change) => {
      await stop();
      if (change) await changeData(dataDir, change);
      await start();
    },
    operate: async (...words) => {
      const { code, output } = await runScript('scripts/operator.ts', environment, ...words);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${output}`);
      return output;
    },
    close: async () => {
      await stop();
      await mailbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
    abandon: () => {
      void server.kill();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The servers of the test files of this process that need no settings of their own, by their FEATURES. */
const common = new Map<string, Promise<Faktur>>();

async function startCommon(features: string): Promise<Faktur> {
  const faktur = await startFaktur({ FEATURES: features });
  // Vitest ends its processes with SIGTERM.
  for (const end of ['SIGTERM', 'exit']) process.once(end, () => faktur.abandon());
  return faktur;
}

/** Longer than the time limit for the start of the server. */
const START_TIMEOUT_MS = 90_000;

/** The server and the browser that the tests of one file share. */
export interface Stage {
  faktur: Faktur;
  browser: Browser;
}

/**
 * A server and a browser for a test file. Files without settings share a server, which takes two seconds of a processor
 * to start, so every account there has an address of its own.
 *
 * @param settings the settings of a server for this file alone, read when it starts
 * @param features the features that are on, whatever TEST_FEATURES says
 */
export function stage(settings?: () => NodeJS.ProcessEnv, features = TEST_FEATURES): Stage {
  const shared: Partial<Stage> = {};
  beforeAll(async () => {
    shared.browser = await openBrowser();
    if (settings) shared.faktur = await startFaktur({ FEATURES: features, ...settings() });
    else shared.faktur = await common.getOrInsertComputed(features, startCommon);
    shared.faktur.mailbox.empty();
  }, START_TIMEOUT_MS);
  afterEach(async ({ task }) => {
    if (!shared.browser) return;
    if (task.result?.state === 'fail') await tellPages(shared.browser);
    await endVisits(shared.browser);
  });
  afterAll(async () => {
    if (settings) await shared.faktur?.close();
  });
  // The hooks run before any test reads it.
  return shared as Stage;
}

/** The cases of a test that is always played with no feature on, and with all of them. */
export function withoutAndWithAll(): [features: string, here: Stage][] {
  return ['', 'all'].map((features) => [features, stage(undefined, features)]);
}
