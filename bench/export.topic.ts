import { setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../server/testing/until.ts';
import { atMost, beside, type Figure, figure } from './figure.ts';
import type { Harness, RunningServer } from './harness.ts';
import { measureWhile } from './load.ts';
import { ask, call, logIn, type Person } from './person.ts';
import { ownerOf, seedCompanies } from './seed-companies.ts';

const SIZES = [100_000, 205];
const QUICK_SIZES = [3000, 25];
/** `DOCUMENTS` is left out: it prints what was never printed, as `npm run bench -- documents` measures. */
const KINDS = ['XLSX', 'CSV', 'GBAT10', 'TWENTYFOURSEVEN', 'UNI', 'SAFT', 'ARCHIVE'] as const;
const ALL_YEARS = { from: '2020-01-01', to: '2035-12-31' };
const BYTES_PER_MB = 1_000_000;
const LOOK_EVERY_MS = 20;
/** By others' lists alone, a new process grows for so long: by 100 MB, most of it garbage. */
const IDLE_SECONDS = 60;
/** Between the answer to one person of another company and the next question. */
const PAUSE_MS = 25;
const ASK_EVERY_MS = 200;
const TIMEOUT = 15 * 60_000;

/**
 * All of a company with 100,000 invoices, exported by the product, each time by a new process: time, memory above what it
 * takes for the lists of another company alone, and how long these take meanwhile.
 */
export async function measureExport(harness: Harness): Promise<Figure[]> {
  const { quick, seconds } = harness.options;
  const sizes = quick ? QUICK_SIZES : SIZES;
  const url = await harness.newDatabase();
  await seedCompanies(url, sizes);
  const figures: Figure[] = [];
  for (const kind of KINDS) {
    const server = await harness.newServer({ DATABASE_URL: url, FEATURES: 'export' });
    const largest = await logIn(url, server.origin);
    const other = await logIn(url, server.origin, ownerOf(2));
    const idling = async () => sleep((quick ? seconds : IDLE_SECONDS) * 1000);
    const idle = await lookAt(server, other, idling);
    const began = performance.now();
    const during = await lookAt(server, other, async () => makeExport(largest, kind));
    const took = (performance.now() - began) / 1000;
    await server.stop();
    const name = `${kind}, ${(sizes[0] ?? 0).toLocaleString('en-GB')} invoices`;
    const bound = (most: number) => (kind === 'XLSX' ? [atMost(most)] : []);
    const memory = (during.memory - idle.memory) / BYTES_PER_MB;
    const lists = `${name}: 95 % of another's lists within`;
    figures.push(
      figure(name, took, 's', ...bound(60)),
      figure(`${name}: memory above idle`, memory, 'MB', ...bound(150)),
      figure(lists, during.p95, 'ms', beside('idle', idle.p95)),
    );
  }
  return figures;
}

/** The most memory of the server while something runs, and how long lists of another company take meanwhile. */
async function lookAt(server: RunningServer, other: Person, work: () => Promise<unknown>) {
  let memory = server.memory();
  const watch = setInterval(() => {
    memory = Math.max(memory, server.memory());
  }, LOOK_EVERY_MS);
  try {
    const list = async () => ask(other, 'GET', '/api/invoices/');
    const { p95 } = await measureWhile(work, list, PAUSE_MS);
    return { memory, p95 };
  } finally {
    clearInterval(watch);
  }
}

/** Asks for an export, as small ones are fetched too, and deletes it. */
async function makeExport(person: Person, kind: string): Promise<void> {
  const { uuid } = await ask<{ uuid: string }>(person, 'POST', '/api/exports/', {
    kind,
    ...ALL_YEARS,
  });
  const path = `/api/exports/${uuid}/`;
  const look = async () => ask<{ state: string }>(person, 'GET', path);
  const isOver = ({ state }: { state: string }) => state === 'DONE' || state === 'FAILED';
  const { state } = await until(look, isOver, TIMEOUT, ASK_EVERY_MS);
  if (state === 'FAILED') throw new Error(`${kind} failed`);
  await (await call(person, 'GET', `${path}file/`)).body?.cancel();
  await call(person, 'DELETE', path);
}
