import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

import type { InjectOptions } from 'fastify';

import { TestClient, type Http } from './client.ts';

/** The folder of the product. */
export const ROOT = resolve(import.meta.dirname, '..', '..');
/** The part of the test's environment that every started process gets. */
export const NODE_SETTINGS: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  // As `npm start` sets it: without it each thread that a process starts takes 15 MB more.
  NODE_COMPILE_CACHE:
    process.env['NODE_COMPILE_CACHE'] ?? join(ROOT, 'node_modules/.cache/compiled'),
};
/** The default FEATURES of tests. With TEST_FEATURES=all the suite runs with everything on. */
export const TEST_FEATURES = process.env['TEST_FEATURES'] ?? '';

/** Settings that turn on everything that is off by default. Nothing listens at these addresses. */
export const EVERYTHING_ON = {
  FEATURES: 'all',
  ACCESS_POINT: 'phoss-ap',
  ACCESS_POINT_URL: 'http://127.0.0.1:9',
  ACCESS_POINT_TOKEN: 'a token of the tests',
  PEPPOL_DNS: '127.0.0.1:9',
} as const;
const START_TIMEOUT = 180_000;
/** A module that ends the product when the channel to the test's process closes, which a kill of that closes too. */
const END_WITH_PARENT = `data:text/javascript,
  process.on('disconnect', () => process.exit()); process.channel?.unref();`;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** The product in a process of its own, as `npm start` runs it. */
export interface ProductProcess {
  readonly origin: string;
  readonly pid: number;
  /** The log so far: JSON lines and other output. */
  readonly log: readonly string[];
  /** A client over HTTP, without a session or with the session of a Cookie header. */
  visitor(cookieHeader?: string): TestClient;
  /** Lets the module of `preload` do some work in the process, and returns its answer. @throws Error when it fails */
  ask(work: string, ...words: readonly string[]): Promise<unknown>;
  /** Kills it with SIGKILL, as a power cut would. */
  kill(): Promise<void>;
  /** Asks it to end, and returns its exit code. */
  stop(): Promise<number | null>;
}

interface ProcessOptions {
  /** A file that is loaded before the product, for `ask`. */
  readonly preload?: string;
  /** Whether its log is kept. Reading a line for each request would add to measured times. */
  readonly keepsLog?: boolean;
}

/**
 * Starts the product, on a free port unless the settings name one, and waits until it listens.
 * @throws Error with its output
 */
export async function startProcess(
  settings: NodeJS.ProcessEnv,
  { preload, keepsLog = true }: ProcessOptions = {},
): Promise<ProductProcess> {
  const program = ['--import', END_WITH_PARENT, join(ROOT, 'server/main.ts')];
  if (preload !== undefined) program.unshift('--import', preload);
  const child = spawn(process.execPath, program, {
    env: {
      ...NODE_SETTINGS,
      HOST: '127.0.0.1',
      PORT: '0',
      FEATURES: TEST_FEATURES,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  }) as Child;
  const log: string[] = [];
  const port = await portOf(child, log);
  if (!keepsLog) {
    for (const stream of [child.stdout, child.stderr]) {
      stream.removeAllListeners('data');
      // Unread output fills the pipe, and then the product blocks.
      stream.resume();
    }
  }
  const origin = `http://127.0.0.1:${port}`;
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals) => {
    if (!isOver()) {
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    }
    return child.exitCode;
  };
  return {
    origin,
    pid: child.pid ?? 0,
    log,
    visitor: (cookieHeader) => visitorOf(origin, cookieHeader),
    ask: async (work, ...words) => ask(child, work, words),
    kill: async () => void (await end('SIGKILL')),
    stop: async () => end('SIGTERM'),
  };
}

/** An answer of a preloaded module. */
interface Answer {
  readonly id: string;
  readonly result?: unknown;
  readonly error?: string;
}

async function ask(child: Child, work: string, words: readonly string[]): Promise<unknown> {
  const id = crypto.randomUUID();
  const answered = new Promise((resolve, reject) => {
    const read = (answer: Answer) => {
      if (answer.id !== id) return;
      child.off('message', read);
      if (answer.error === undefined) resolve(answer.result);
      else reject(new Error(`${work}: ${answer.error}`));
    };
    child.on('message', read);
  });
  child.send({ id, work, words });
  return answered;
}

/** A client over HTTP of the process at this address; see `ProductProcess.visitor`. */
export function visitorOf(origin: string, cookieHeader?: string): TestClient {
  return new TestClient(overHttp(origin), cookieHeader);
}

/** Reads the port from the start message, which is written at every log level. */
async function portOf(child: Child, log: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      child.kill('SIGKILL');
      reject(new Error(`The product did not start:\n${log.join('\n')}`));
    };
    const timer = setTimeout(fail, START_TIMEOUT);
    const read = (stream: Readable) => {
      let rest = '';
      stream.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        log.push(...lines);
        const port = /kjører på http:\/\/[^:]+:(\d+)/.exec(lines.join('\n'))?.[1];
        if (port === undefined) return;
        clearTimeout(timer);
        child.off('exit', fail);
        resolve(Number(port));
      });
    };
    read(child.stdout);
    read(child.stderr);
    child.once('error', reject);
    child.once('exit', fail);
  });
}

function overHttp(origin: string): Http {
  return {
    inject: async ({ method = 'GET', url, payload, headers }: InjectOptions) => {
      const isJson =
        payload !== undefined && typeof payload !== 'string' && !(payload instanceof Uint8Array);
      const response = await fetch(new URL(url as string, origin), {
        method,
        headers: {
          ...(isJson && { 'content-type': 'application/json' }),
          ...(headers as Record<string, string>),
        },
        redirect: 'manual',
        ...(payload !== undefined && {
          body: isJson ? JSON.stringify(payload) : (payload as string),
        }),
      });
      return {
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
        cookies: response.headers.getSetCookie().map(parseCookie),
      };
    },
  };
}

function parseCookie(header: string): { name: string; value: string } {
  const [pair = ''] = header.split(';', 1);
  const [name = '', ...value] = pair.split('=');
  return { name, value: value.join('=') };
}

/** Runs a file of the project to its end, with only these settings. */
export async function runScript(
  file: string,
  settings: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [resolve(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...NODE_SETTINGS, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** A free port on the loopback. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
