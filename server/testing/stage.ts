import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pino } from 'pino';

import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { openServer } from '../platform/db/database.ts';
import { releaseActive } from '../platform/jobs/queue.ts';
import { createLog } from '../platform/log/log.ts';
import { TestClient } from './client.ts';
import { databaseSettings, prepareProcessDatabase } from './database.ts';
import { startProxy, type CuttableProxy } from './proxies.ts';
import { completeProfile } from './factories.ts';
import { loginCodeIn } from './mails.ts';
import { startProcess, TEST_FEATURES, type ProductProcess } from './process.ts';
import { startMailServer, type MailServer, type SmtpServerOptions } from './smtp-server.ts';

/** The SECRET_KEY of all processes and operators' commands of a stage. */
export const SECRET_KEY = 'a secret for tests that is long enough';

/** The environment of product processes: a database that outlives them, and a mail server. */
export interface Stage {
  readonly smtp: MailServer;
  /** The connection between the processes and the mail server, which tests can cut. */
  readonly smtpLine: CuttableProxy;
  /** The folder of the embedded database and the outbox. */
  readonly dataDir: string;
  /** DATABASE_URL of the processes; undefined with an embedded database. */
  readonly databaseUrl: string | undefined;
  /** The same database without the pooler of this run. */
  readonly directUrl: string | undefined;
  /** Starts a process on this database. `close` ends processes that still run. */
  start(settings?: NodeJS.ProcessEnv): Promise<ProductProcess>;
  /**
   * Starts the product on this database inside the test's process, which has the code already: a tenth of the cost. For
   * what is neither killed nor has a clock of its own. `close` ends it.
   */
  startHere(settings?: NodeJS.ProcessEnv): Promise<Product>;
  close(): Promise<void>;
}

/** The product in a process of its own or in the test's. */
export type Product = Pick<ProductProcess, 'origin' | 'log' | 'visitor' | 'stop'>;

interface StageDatabase {
  /** A database that the caller closes. */
  readonly databaseUrl?: string;
  /** Whether the first process creates the tables. Otherwise they exist and are empty. */
  readonly isNew?: boolean;
}

/** Opens a stage on the database kind of this test project, or on a database of the caller. */
export async function openStage(
  smtpOptions: SmtpServerOptions = {},
  { databaseUrl, isNew = false }: StageDatabase = {},
): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'faktur-stage-'));
  const onServer =
    databaseUrl === undefined ? await prepareProcessDatabase(dataDir, { isNew }) : null;
  const smtp = await startMailServer(smtpOptions);
  const smtpLine = await startProxy(smtp.port);
  const processes: ProductProcess[] = [];
  const here: Product[] = [];
  const settingsWith = (settings: NodeJS.ProcessEnv) => ({
    DATA_DIR: dataDir,
    SECRET_KEY,
    PUBLIC_URL: 'http://faktur.test',
    SMTP_URL: `smtp://127.0.0.1:${smtpLine.port}`,
    SMTP_TIMEOUT_SECONDS: '2',
    LOG_LEVEL: 'info',
    // Tests on a stage create load: how many mails they send depends on the machine.
    NEW_COMPANY_MAILS_PER_DAY: 'none',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...(onServer && databaseSettings(onServer.url)),
    ...settings,
  });
  return {
    smtp,
    smtpLine,
    dataDir,
    databaseUrl:
      databaseUrl ?? (onServer ? databaseSettings(onServer.url).DATABASE_URL : undefined),
    directUrl: databaseUrl ?? onServer?.url,
    async start(settings = {}) {
      const started = await startProcess(settingsWith(settings));
      processes.push(started);
      return started;
    },
    async startHere(settings = {}) {
      const started = await startInThisProcess(settingsWith(settings));
      here.push(started);
      return started;
    },
    async close() {
      await Promise.all(here.map(async (product) => product.stop()));
      await Promise.all(processes.map(async (process) => process.kill()));
      await smtpLine.close();
      await smtp.close();
      await onServer?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startInThisProcess(settings: NodeJS.ProcessEnv): Promise<Product> {
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    FEATURES: TEST_FEATURES,
    ...settings,
  });
  const lines: string[] = [];
  const log = createLog(config, { write: (line) => void lines.push(line) });
  const app = await createApp({ config, log, webFolder: null });
  const port = await app.listen();
  let ended: Promise<void> | undefined;
  return {
    origin: `http://127.0.0.1:${port}`,
    log: lines,
    visitor: (cookieHeader) => new TestClient(app.http, cookieHeader),
    stop: async () => {
      await (ended ??= app.close());
      return 0;
    },
  };
}

/**
 * Releases the jobs of a killed process, where no other one runs. Other processes notice its silence after half a minute,
 * which `delivery-workers` and `scale-out` wait for.
 */
export async function releaseJobs({ directUrl }: Pick<Stage, 'directUrl'>): Promise<void> {
  // The embedded database does so at its start.
  if (directUrl === undefined) return;
  const database = openServer(directUrl, () => undefined);
  await releaseActive(database.db, pino({ level: 'silent' }));
  await database.close();
}

/** Logs in with the code from a mail, and completes the profile of a new account. */
export async function logIn(
  product: Pick<Product, 'visitor'>,
  smtp: MailServer,
  email: string,
): Promise<TestClient> {
  const client = product.visitor();
  const before = smtp.mails.length;
  await client.post('/api/users/register/email/', { email });
  const { subject } = await smtp.waitForMail(
    (mail) => mail.to.includes(email) && smtp.mails.indexOf(mail) >= before,
  );
  const answer = await client.post('/api/users/login/verify/', {
    email,
    registration_token: loginCodeIn(subject),
  });
  if (answer.status !== 200) throw new Error(`Login got ${answer.status}: ${answer.text}`);
  const session = answer.body as { is_profile_completed: boolean };
  if (!session.is_profile_completed) await completeProfile(client);
  return client;
}

/**
 * The number of times a test kills the process. Set `KILL_ROUNDS=25` for the long run. On the embedded database once,
 * because it takes seconds to start.
 */
export function killRounds(usual: number): number {
  const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';
  return Number(process.env['KILL_ROUNDS'] ?? (isEmbedded ? 1 : usual));
}
