import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DestinationStream } from 'pino';

import { createApp, type App } from '../app.ts';
import { createLog } from '../platform/log/log.ts';
import { readConfig, type Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Database } from '../platform/db/database.ts';
import type { WebhookClient } from '../integration/webhook-client.ts';
import type { Wire } from '../delivery/carriers/ehf/guarded-fetch.ts';
import { makeChallenge } from '../account/login.service.ts';
import { TestClient } from './client.ts';
import { openMigratedDatabase } from './database.ts';
import { TEST_FEATURES } from './process.ts';

/** The product on its own database, for one test file. */
export interface TestApp {
  readonly app: App;
  readonly context: Context;
  /** The folder in which mails are saved when there is no SMTP_URL. */
  readonly outbox: string;
  /** A client without a session. */
  visitor(): TestClient;
  /** A client with a new account, or with a new session of the account with that address. */
  login(email?: string): Promise<TestClient>;
  close(): Promise<void>;
}

export const STAFF_EMAIL = 'staff@example.no';

let accounts = 0;

interface World {
  readonly logStream?: DestinationStream;
  /** Replaces responses of other hosts. */
  readonly fetchText?: Context['fetchText'];
  /** Peppol's publishers. */
  readonly peppolWire?: Wire;
  /** Hands over messages to webhooks. */
  readonly webhookClient?: WebhookClient;
  /** A database with data; a new empty one when absent. The app closes it. */
  readonly database?: Database;
  /** The folder of a built web app. Without it only the API is served. */
  readonly webFolder?: string;
}

/** Starts the product including jobs. `settings` are environment variables. */
export async function startTestApp(
  settings: NodeJS.ProcessEnv = {},
  { logStream, fetchText, peppolWire, webhookClient, database: filled, webFolder }: World = {},
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
    ...(webhookClient && { webhookClient }),
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
