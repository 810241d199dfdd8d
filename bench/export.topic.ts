import { setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { type Installation, openInstallation, type Visitor } from './installation.ts';
import { percentile } from './load.ts';
import { largestOf } from './seed-tenants.ts';

/** The largest company has 200 times the average. */
const INVOICES_EACH = 500;
const QUICK_INVOICES_EACH = 15;
const COMPANIES = 200;
/** `DOCUMENTS` is left out: it prints what was never printed, as `npm run bench -- documents` measures. */
const KINDS = ['XLSX', 'CSV', 'GBAT10', 'TWENTYFOURSEVEN', 'UNI', 'SAFT', 'ARCHIVE'] as const;
const ALL_YEARS = { from: '2020-01-01', to: '2035-12-31' };
const BYTES_PER_MB = 1_000_000;
const LOOK_EVERY_MS = 20;
/** By others' lists alone, a new process grows for so long: by 100 MB, most of it garbage. */
const IDLE_SECONDS = 60;
/** Between the answer to one person of another company and the next question. */
const PAUSE_MS = 25;

/**
 * All of a company with 100,000 invoices, exported by the product, each time by a new process: time, memory above what it
 * takes for the lists of another company alone, and how long these take meanwhile.
 */
export async function measureExport(harness: Harness): Promise<Figure[]> {
  const { quick, seconds } = harness.options;
  const tenants = {
    companies: COMPANIES,
    invoicesEach: quick ? QUICK_INVOICES_EACH : INVOICES_EACH,
  };
  const installation = await openInstallation(harness, tenants);
  const invoices = largestOf(tenants).toLocaleString('en-GB');
  const figures: Figure[] = [];
  for (const kind of KINDS) {
    const server = await harness.newServer({
      DATABASE_URL: installation.url,
      SMTP_URL: `smtp://127.0.0.1:${installation.sink.port}`,
      FEATURES: 'export',
    });
    const fresh = { ...installation, server };
    const idle = await lookAt(fresh, async () => sleep((quick ? seconds : IDLE_SECONDS) * 1000));
    const began = performance.now();
    const during = await lookAt(fresh, async () => makeExport(fresh, kind));
    const took = performance.now() - began;
    await server.stop();
    const name = `${kind}, ${invoices} invoices`;
    const isBound = kind === 'XLSX';
    figures.push(
      {
        name,
        value: took / 1000,
        unit: 's',
        ...(isBound && { target: { is: 'at most', bound: 60 } }),
      },
      {
        name: `${name}: memory above idle`,
        value: (during.memory - idle.memory) / BYTES_PER_MB,
        unit: 'MB',
        ...(isBound && { target: { is: 'at most', bound: 150 } }),
      },
      {
        name: `${name}: 95 % of another's lists within`,
        value: during.p95,
        unit: 'ms',
        peer: { name: 'idle', value: idle.p95 },
      },
    );
  }
  return figures;
}

/** The most memory of the server while something runs, and how long lists of another company take meanwhile. */
async function lookAt(
  { server, visitors }: Installation,
  work: () => Promise<unknown>,
): Promise<{ readonly memory: number; readonly p95: number }> {
  const other = visitors.at(-1);
  if (!other) throw new Error('There is nobody else');
  let memory = server.memory();
  const watch = setInterval(() => {
    memory = Math.max(memory, server.memory());
  }, LOOK_EVERY_MS);
  const over = new AbortController();
  const times = (async () => {
    const each: number[] = [];
    while (!over.signal.aborted) {
      const began = performance.now();
      await call(server.origin, other, '/api/invoices/');
      each.push(performance.now() - began);
      await sleep(PAUSE_MS);
    }
    return each;
  })();
  try {
    await work();
  } finally {
    clearInterval(watch);
    over.abort();
  }
  return { memory, p95: percentile(await times, 95) };
}

interface Answered {
  readonly uuid: string;
  readonly state: string;
}

/** Asks for an export, as small ones are fetched too, and deletes it. */
async function makeExport({ server, largest }: Installation, kind: string): Promise<void> {
  const ask = async (path: string, method = 'GET', body?: object) =>
    (await call(server.origin, largest, path, method, body)).json() as Promise<Answered>;
  const { uuid } = await ask('/api/exports/', 'POST', { kind, ...ALL_YEARS });
  const path = `/api/exports/${uuid}/`;
  for (;;) {
    const { state } = await ask(path);
    if (state === 'DONE') break;
    if (state === 'FAILED') throw new Error(`${kind} failed`);
    await sleep(200);
  }
  await (await call(server.origin, largest, `${path}file/`)).body?.cancel();
  await call(server.origin, largest, path, 'DELETE');
}

async function call(
  origin: string,
  { cookie }: Visitor,
  path: string,
  method = 'GET',
  body?: object,
): Promise<Response> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  if (path === '/api/invoices/') await answer.arrayBuffer();
  return answer;
}
