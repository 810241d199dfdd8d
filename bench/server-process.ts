import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const MAIN = join(import.meta.dirname, '..', 'server', 'main.ts');
const READY_TIMEOUT = 60_000;

/** The product in a process of its own, as `npm start` runs it. */
export interface RunningServer {
  readonly origin: string;
  readonly pid: number;
  /** From the start of the process to its first answer (milliseconds). */
  readonly startedIn: number;
  /** Resident memory (bytes). */
  memory(): number;
  stop(): Promise<void>;
}

/** Starts the product on a free port and waits until it answers. @throws Error with what it wrote */
export async function startServer(
  settings: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<RunningServer> {
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, MAIN], {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      // What is measured here is minutes old.
      NEW_COMPANY_MAILS_PER_DAY: 'none',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await portOf(child);
  const origin = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${origin}/healthz`);
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  const startedIn = performance.now() - began;
  return {
    origin,
    pid: child.pid ?? 0,
    startedIn,
    memory: () => residentMemory(child.pid ?? 0),
    stop: async () => stop(child),
  };
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

async function portOf(child: Child): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = () => reject(new Error(`The server did not start:\n${output}`));
    const timer = setTimeout(fail, READY_TIMEOUT);
    const listen = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
      const port = /is running on http:\/\/[^:]+:(\d+)/.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      child.stdout.off('data', listen);
      child.stderr.off('data', listen);
      // What is not read fills the pipe, and then the server waits.
      child.stdout.resume();
      child.stderr.resume();
      resolve(Number(port));
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', reject);
    child.once('exit', fail);
  });
}

async function stop(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill('SIGTERM');
  await ended;
}

/** Linux says it in /proc; elsewhere there is no figure. */
function residentMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}
