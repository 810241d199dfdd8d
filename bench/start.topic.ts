import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../server/testing/free-port.ts';
import type { Figure } from './figure.ts';
import { measureHttp } from './load.ts';
import { Outbox } from './outbox.ts';
import { signUp } from './person.ts';
import type { Harness } from './harness.ts';

const ROOT = path.join(import.meta.dirname, '..');
const MEGABYTE = 1e6;
const POLL = 20;
const START_TIMEOUT = 120_000;
const SETTLE = 1000;

/** How long somebody waits for the product, and what it takes of their machine, with its own database. */
export async function measureStart(harness: Harness): Promise<Figure[]> {
  const folder = await harness.newFolder();
  const first = await startAndStop(folder);
  const second = await startAndStop(folder);
  return [
    { name: 'npm start, new data folder, to the first answer', value: first, unit: 's' },
    {
      name: 'npm start, second time, to the first answer',
      value: second,
      unit: 's',
      target: { is: 'at most', bound: 2 },
    },
    ...(await measureMemory(harness, folder)),
  ];
}

async function measureMemory(harness: Harness, folder: string): Promise<Figure[]> {
  const server = await harness.newServer({ DATA_DIR: folder, LOG_LEVEL: 'info' });
  const { cookie } = await signUp(server.origin, new Outbox(folder), 'kari@example.no');
  await sleep(SETTLE);
  const atStart = server.memory();
  const requests = harness.options.quick ? 1000 : 10_000;
  await measureHttp({
    url: `${server.origin}/api/invoices/`,
    cookie,
    seconds: 0,
    amount: requests,
  });
  const after = server.memory();
  const target = { is: 'at most', bound: 300 } as const;
  return [
    { name: 'memory after start', value: atStart / MEGABYTE, unit: 'MB', target },
    {
      name: `memory after ${requests.toLocaleString('en-GB')} requests`,
      value: after / MEGABYTE,
      unit: 'MB',
      target,
    },
  ];
}

/** From `npm start` to the first answer (seconds), as somebody at a keyboard would start it. */
async function startAndStop(folder: string): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: folder, PORT: String(port), HOST: '127.0.0.1' },
    stdio: 'ignore',
  });
  const ended = once(npm, 'exit');
  while (!(await answers(port))) {
    if (performance.now() - began > START_TIMEOUT) throw new Error('npm start did not answer');
    await sleep(POLL);
  }
  const seconds = (performance.now() - began) / 1000;
  npm.kill('SIGTERM');
  await ended;
  return seconds;
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    (answer) => answer.ok,
    () => false,
  );
}
