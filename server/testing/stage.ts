import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestClient } from './client.ts';
import { databaseSettings, prepareProcessDatabase } from './database.ts';
import { startProxy, type CuttableProxy } from './proxies.ts';
import { completeProfile } from './factories.ts';
import { loginCodeIn } from './mails.ts';
import { ROOT, startProcess, type ProductProcess } from './process.ts';
import { startMailServer, type MailServer, type SmtpServerOptions } from './smtp-server.ts';

/** The key of every process of a stage, and of operators' commands there. */
export const SECRET_KEY = 'a secret for tests that is long enough';

/** The world around processes of the product: their database, which outlives them, and a mail server. */
export interface Stage {
  readonly smtp: MailServer;
  /** The line between the processes and the mail server. */
  readonly smtpLine: CuttableProxy;
  /** Where the embedded database is, and the outbox. */
  readonly dataDir: string;
  /** The address of the database for the processes; undefined when it is embedded in one. */
  readonly databaseUrl: string | undefined;
  /** The same database without the pooler that the run may have in front of it. */
  readonly directUrl: string | undefined;
  /**
   * Starts a process on this database, of this version or of that in another folder. What still runs
   * at the end is ended.
   */
  start(settings?: NodeJS.ProcessEnv, root?: string): Promise<ProductProcess>;
  close(): Promise<void>;
}

interface StageDatabase {
  /** One that the caller keeps. */
  readonly databaseUrl?: string;
  /** Whether its first process makes our tables, instead of finding them empty. */
  readonly isNew?: boolean;
}

/** Sets the stage on the kind of database that this project of tests runs on, or on one that the caller keeps. */
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
  return {
    smtp,
    smtpLine,
    dataDir,
    databaseUrl:
      databaseUrl ?? (onServer ? databaseSettings(onServer.url).DATABASE_URL : undefined),
    directUrl: databaseUrl ?? onServer?.url,
    async start(settings = {}, root = ROOT) {
      const environment = {
        DATA_DIR: dataDir,
        SECRET_KEY,
        PUBLIC_URL: 'http://faktur.test',
        SMTP_URL: `smtp://127.0.0.1:${smtpLine.port}`,
        SMTP_TIMEOUT_SECONDS: '2',
        LOG_LEVEL: 'info',
        // Tests on a stage create load: how many mails they send depends on the machine.
        NEW_COMPANY_MAILS_PER_DAY: 'none',
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        ...(onServer && settingsFor(root, onServer.url)),
        ...settings,
      };
      const started = await startProcess(environment, { root });
      processes.push(started);
      return started;
    },
    async close() {
      await Promise.all(processes.map(async (process) => process.kill()));
      await smtpLine.close();
      await smtp.close();
      await onServer?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Logs in as people do, by the code in a mail, and completes the profile of a new account. */
export async function logIn(
  product: ProductProcess,
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
 * How often a test kills the process. `KILL_ROUNDS=25` for the long run. Half as often with the embedded
 * database, which takes seconds to start.
 */
export function killRounds(usual: number): number {
  const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';
  return Number(process.env['KILL_ROUNDS'] ?? (isEmbedded ? usual / 2 : usual));
}

/** An earlier version may know nothing of poolers. */
function settingsFor(root: string, url: string): NodeJS.ProcessEnv {
  return root === ROOT ? databaseSettings(url) : { DATABASE_URL: url };
}
