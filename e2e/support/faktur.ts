import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

import { databaseSettings, prepareProcessDatabase } from '../../server/testing/database.ts';
import {
  freePort,
  ROOT,
  runScript,
  startProcess,
  TEST_FEATURES,
} from '../../server/testing/process.ts';
import { SECRET_KEY } from '../../server/testing/stage.ts';
import { endVisits, openBrowser, tellPages } from './browser.ts';
import type { Work } from './in-server.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';

const IN_SERVER = join(import.meta.dirname, 'in-server.ts');

export const STAFF_EMAIL = 'ansatt@faktur.test';

/** The product as in production: built web app, real server, database, mail. */
export interface Faktur {
  readonly url: string;
  readonly mailbox: Mailbox;
  /** Does in the server's process what a user cannot; see in-server.ts. */
  ask(work: Work, ...words: readonly string[]): Promise<unknown>;
  /** Runs an operator's command, as `npm run` does. Returns its output. */
  operate(...words: readonly string[]): Promise<string>;
  close(): Promise<void>;
  /** Kills the process and removes its data, for the end of the test process, which waits for nothing. */
  abandon(): void;
}

/** Where browsers ask for businesses. Nothing listens there, so no test calls the real register. */
export const REGISTER_URL = 'http://127.0.0.1:9/api';

const SETTINGS = {
  SECRET_KEY,
  STAFF_EMAILS: STAFF_EMAIL,
  SUPPORT_EMAIL: 'hjelp@faktur.test',
  BUSINESS_REGISTER_URL: REGISTER_URL,
  FEATURES: TEST_FEATURES,
  LOG_LEVEL: 'warn',
};

/** @param settings environment variables, added to those of all tests */
async function startFaktur(settings: NodeJS.ProcessEnv = {}): Promise<Faktur> {
  if (!existsSync(join(ROOT, 'dist/web/index.html'))) {
    throw new Error('The web app is not built: run the journeys with npm test.');
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'faktur-e2e-'));
  const onServer = await prepareProcessDatabase(dataDir);
  const mailbox = await openMailbox();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const environment = {
    ...SETTINGS,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    ...(onServer && databaseSettings(onServer.url)),
    ...settings,
  };
  const server = await startProcess(environment, { preload: IN_SERVER });
  return {
    url,
    mailbox,
    ask: async (work, ...words) => server.ask(work, ...words),
    operate: async (...words) => {
      const { code, output } = await runScript('scripts/operator.ts', environment, ...words);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${output}`);
      return output;
    },
    close: async () => {
      await server.stop();
      await onServer?.drop();
      await mailbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
    abandon: () => {
      void server.kill();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The servers that test files of this process share, by their settings. */
const common = new Map<string, Promise<Faktur>>();

async function startCommon(settings: string): Promise<Faktur> {
  const faktur = await startFaktur(JSON.parse(settings) as NodeJS.ProcessEnv);
  // Vitest ends its processes with SIGTERM.
  for (const end of ['SIGTERM', 'exit']) process.once(end, () => faktur.abandon());
  return faktur;
}

/** The server and the browser that the tests of one file share. */
export interface Stage {
  faktur: Faktur;
  browser: Browser;
}

/**
 * A server and a browser for a test file, or for the tests of a `describe`, whose server starts only when one of them is
 * played. Files with the same settings share a server, which takes four seconds of a processor to start, so every account
 * there has an address of its own.
 *
 * @param settings environment variables; a function, read when it starts, for a server of this file alone
 */
export function stage(settings: NodeJS.ProcessEnv | (() => NodeJS.ProcessEnv) = {}): Stage {
  const shared: Partial<Stage> = {};
  beforeAll(async () => {
    shared.browser = await openBrowser();
    if (typeof settings === 'function') shared.faktur = await startFaktur(settings());
    else {
      const key = JSON.stringify({ FEATURES: TEST_FEATURES, ...settings });
      shared.faktur = await common.getOrInsertComputed(key, startCommon);
    }
    shared.faktur.mailbox.empty();
  });
  afterEach(async ({ task }) => {
    if (!shared.browser) return;
    const hasFailed = task.result?.state === 'fail';
    if (hasFailed) await tellPages(shared.browser);
    await endVisits(shared.browser, hasFailed);
  });
  afterAll(async () => {
    if (typeof settings === 'function') await shared.faktur?.close();
  });
  // The hooks run before any test reads it.
  return shared as Stage;
}

/** Settings of the servers that most journeys share: nothing is on, whatever TEST_FEATURES says, or everything. */
export const WITHOUT = { FEATURES: '' } as const;
export const WITH_ALL = { FEATURES: 'all' } as const;

/** For what is different without `payments` or `vat`. */
export const WITHOUT_PAYMENTS = { FEATURES: 'attachments,credit,export' } as const;

/** The cases of a test that is always played with no feature on, and with all of them. */
export function withoutAndWithAll(): [features: string, here: Stage][] {
  return [WITHOUT, WITH_ALL].map((settings) => [settings.FEATURES, stage(settings)]);
}
