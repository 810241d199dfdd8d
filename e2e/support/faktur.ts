import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { inject } from 'vitest';

import { freePort } from '../../server/testing/free-port.ts';
import { NODE_SETTINGS, ROOT } from '../../server/testing/process.ts';
import { eventually } from './eventually.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';

const run = promisify(execFile);
/** Perhaps on a machine that does much else. */
const START_PATIENCE_MS = 60_000;
export const STAFF_EMAIL = 'ansatt@faktur.test';

/** The product as it runs for its users: built web app, real server, embedded database, mail. */
export interface Faktur {
  readonly url: string;
  readonly mailbox: Mailbox;
  /** Ends the process and starts another on the same data. */
  restart(): Promise<void>;
  /** Ends the process alone, as when the machine is gone. */
  stop(): Promise<void>;
  /** @param changes to its settings, for this process alone */
  start(changes?: NodeJS.ProcessEnv): Promise<void>;
  /** Runs an operator's command, as `npm run` does, and returns what it says. */
  operate(...words: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** @param settings as in the environment, beside those that every journey needs */
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
    ...NODE_SETTINGS,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    STAFF_EMAILS: STAFF_EMAIL,
    SUPPORT_EMAIL: 'hjelp@faktur.test',
    // Nothing listens there, so no journey asks the real register.
    BUSINESS_REGISTER_URL: 'http://127.0.0.1:9/api',
    LOG_LEVEL: 'warn',
    ...settings,
  };
  let server = await startServer(environment, url);
  const stop = async () => endServer(server);
  const start = async (changes: NodeJS.ProcessEnv = {}) => {
    server = await startServer({ ...environment, ...changes }, url);
  };
  return {
    url,
    mailbox,
    stop,
    start,
    restart: async () => {
      await stop();
      await start();
    },
    operate: async (...words) => {
      const program = ['scripts/operator.ts', ...words];
      return (await run(process.execPath, program, { cwd: ROOT, env: environment })).stdout;
    },
    close: async () => {
      await stop();
      await mailbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startServer(environment: NodeJS.ProcessEnv, url: string): Promise<ChildProcess> {
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  server.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const answers = async () => {
    if (server.exitCode !== null) throw new Error(`The server ended at once:\n${output}`);
    return isReady(url);
  };
  try {
    await eventually(answers, 'the server to listen', START_PATIENCE_MS);
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  }
  return server;
}

async function isReady(url: string): Promise<true | undefined> {
  try {
    const { ok } = await fetch(`${url}/readyz`);
    return ok || undefined;
  } catch {
    return undefined;
  }
}

async function endServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((done) => {
    server.once('exit', done);
  });
  server.kill('SIGTERM');
  await ended;
}
