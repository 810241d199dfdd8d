import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DestinationStream } from 'pino';

import { createApp, type App } from '../app.ts';
import { createLog } from '../platform/log/log.ts';
import { readConfig, type Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Database } from '../platform/db/database.ts';
import type { Wire } from '../delivery/carriers/ehf/guarded-fetch.ts';
import { makeChallenge } from '../account/login.service.ts';
import { TestClient } from './client.ts';
import { openMigratedDatabase } from './database.ts';
import { TEST_FEATURES } from './process.ts';

/** The product on a database of its own, for one file of tests. */
export interface TestApp {
  readonly app: App;
  readonly context: Context;
  /** Where mails land as files, when no SMTP_URL is given. */
  readonly outbox: string;
  /** A caller without a session. */
  visitor(): TestClient;
  /** A caller with a new account of its own, or a new session of the account of that address. */
  login(email?: string): Promise<TestClient>;
  close(): Promise<void>;
}

export const STAFF_EMAIL = 'staff@example.no';

let accounts = 0;

interface World {
  /** Where the log goes. */
  readonly logStream?: DestinationStream;
  /** Replaces responses of other hosts. */
  readonly fetchText?: Context['fetchText'];
  /** Peppol's publishers. */
  readonly peppolWire?: Wire;
  /** A database that has been filled; otherwise an empty one. The app closes it. */
  readonly database?: Database;
  /** A built web app; without one the API is served alone. */
  readonly webFolder?: string;
}

/** Starts the product with jobs and all; `settings` are as in the environment. */
export async function startTestApp(
  settings: NodeJS.ProcessEnv = {},
  { logStream, fetchText, peppolWire, database: filled, webFolder }: World = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'faktur-test-'));
  const config: Config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    PUBLIC_URL: 'http://faktur.test',
    STAFF_EMAILS: STAFF_EMAIL,
    LOG_LEVEL: 'silent',
    FEATURES: TEST_FEATURES,
    ...settings,
  });
  const database = filled ?? (await openMigratedDatabase());
  const log = createLog(config, logStream);
  const app = await createApp({
    config,
    log,
    database,
    webFolder: webFolder ?? null,
    ...(fetchText && { fetchText }),
    ...(peppolWire && { peppolWire }),
  });
  const { context } = app;
  const visitor = () => new TestClient(app.http);
  return {
    app,
    context,
    outbox: join(dataDir, 'outbox'),
    visitor,
    login: async (email = `user${++accounts}@example.no`) => {
      const client = visitor();
      const challenge = await makeChallenge(context, 'register', email);
      await client.post('/api/users/login/verify/', { token: challenge?.token });
      return client;
    },
    close: async () => {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
