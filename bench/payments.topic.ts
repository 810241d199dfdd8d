import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { createBankFileReader } from '../server/payment/bank-file/read/bank-file-reader.ts';
import { ocrFile } from '../server/testing/bank-files/ocr-file.ts';
import { CUSTOMER, invoiceBody, PROFILE } from '../server/testing/factories.ts';
import { measureReading } from './bank-file-reading.ts';
import { bareBook, barePreview, type BarePayment } from './bare-payments.ts';
import type { Figure } from './figure.ts';
import { median, percentile, timed } from './load.ts';
import { BANK_ACCOUNT } from './sample-invoices.ts';
import { logIn, putOffJobs } from './seed.ts';
import { seedInvoices } from './seed-tenants.ts';
import type { Harness } from './harness.ts';
import { callApi } from './person.ts';

const ROUNDS = 3;
/** A quarter of the sample invoices is open. */
const SEEDED_FOR_EACH = 32;
/** More than one page of the list. */
const LISTED = 25;
const LOOK_EVERY_MS = 50;

/**
 * A file of payments from upload to booking: read, matched and booked. Compared with reading it alone, and with the
 * necessary database writes alone, written by hand with the matches known.
 */
export async function measurePayments(harness: Harness): Promise<Figure[]> {
  const many = harness.options.quick ? 1000 : 5000;
  const url = await harness.newDatabase();
  const companyId = await seedInvoices(url, many * SEEDED_FOR_EACH);
  const { origin } = await harness.newServer({ DATABASE_URL: url, FEATURES: 'payments' });
  const cookie = await logIn(url, origin);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  harness.defer(async () => pool.end());
  await putOffJobs(pool);
  const rates = { read: [] as number[], preview: [] as number[], book: [] as number[] };
  const product: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const invoices = await openInvoices(pool, companyId, many);
    const file = fileOf(invoices, round + 1);
    rates.read.push(await rateOf(many, async () => readAlone(file)));
    let uuid = '';
    const preview = await timed(async () => (uuid = await upload(origin, cookie, file)));
    const book = await timed(async () => bookWhole(origin, cookie, uuid, many));
    rates.preview.push((many / preview) * 1000);
    rates.book.push((many / book) * 1000);
    product.push((many / (preview + book)) * 1000);
    const others = await openInvoices(pool, companyId, many);
    bare.push(
      await rateOf(many, async () => {
        const ids = await barePreview(pool, companyId, others);
        await bareBook(pool, companyId, others, ids);
      }),
    );
  }
  const neighbour = await openNeighbour(origin, await logIn(url, origin, 'nabo@example.no'));
  const beside = await measureBeside({ origin, cookie, neighbour, pool, companyId, many });
  const peer = { name: 'inserts by hand', value: median(bare) };
  return [
    {
      name: `read, matched and booked, ${many.toLocaleString('en-GB')} payments`,
      value: median(product),
      unit: '/s',
      peer,
      target: { is: 'at least', bound: 0.5 },
    },
    { name: 'reading alone', value: median(rates.read), unit: '/s', peer },
    { name: 'upload to preview', value: median(rates.preview), unit: '/s', peer },
    { name: 'booking', value: median(rates.book), unit: '/s', peer },
    ...beside,
    ...(await measureReading(harness)),
  ];
}

interface Place {
  readonly origin: string;
  readonly cookie: string;
  /** The session of another company. */
  readonly neighbour: string;
  readonly pool: pg.Pool;
  readonly companyId: number;
  readonly many: number;
}

/** Gives another company some invoices to list. */
async function openNeighbour(origin: string, cookie: string): Promise<string> {
  const post = async (path: string, body: object): Promise<unknown> =>
    (await callApi(origin, cookie, ['POST', `/api/${path}`, body])).json();
  await post('users/update/', PROFILE);
  const { customer_number: customer } = (await post('customers/create/', CUSTOMER)) as {
    customer_number: number;
  };
  for (let drafts = 0; drafts < LISTED; drafts += 1) {
    await post('invoices/create/', invoiceBody([customer]));
  }
  return cookie;
}

/** The duration of another company's list while a file is read and booked, compared with idle. */
async function measureBeside(place: Place): Promise<Figure[]> {
  const { origin, cookie, neighbour, pool, companyId, many } = place;
  const list = async () => call(origin, neighbour, '../../invoices/', 'GET');
  const alone = await timesOf(list, 60);
  const file = fileOf(await openInvoices(pool, companyId, many), ROUNDS + 1);
  const state = { isDone: false };
  const work = upload(origin, cookie, file)
    .then(async (uuid) => bookWhole(origin, cookie, uuid, many))
    .finally(() => (state.isDone = true));
  const beside: number[] = [];
  while (!state.isDone) beside.push(...(await timesOf(list, 1)));
  await work;
  return [
    {
      name: 'p95 of another company’s list beside it',
      value: percentile(beside, 95),
      unit: 'ms',
      peer: { name: 'when nothing else is done', value: percentile(alone, 95) },
    },
  ];
}

async function timesOf(work: () => Promise<unknown>, many: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < many; index += 1) times.push(await timed(work));
  return times;
}

async function openInvoices(
  pool: pg.Pool,
  companyId: number,
  many: number,
): Promise<BarePayment[]> {
  const { rows } = await pool.query<{ id: string; kid: string; amount: string }>(
    `SELECT id, kid, gross_amount - paid_amount AS amount FROM invoice
     WHERE company_id = $1 AND status = 'REGISTERED' AND kind = 'INVOICE' ORDER BY id LIMIT $2`,
    [companyId, many],
  );
  if (rows.length < many) throw new Error(`Only ${rows.length} invoices are open`);
  return rows.map(({ id, kid, amount }) => ({ invoice: Number(id), kid, amount: Number(amount) }));
}

function fileOf(payments: readonly BarePayment[], number: number): Buffer {
  return ocrFile([{ number, assignments: [{ account: BANK_ACCOUNT, payments }] }]);
}

async function readAlone(file: Buffer): Promise<void> {
  const reader = createBankFileReader();
  const caller = { companyId: 1, signal: new AbortController().signal };
  const { batches } = await reader.read(chunksOf(file), caller);
  for await (const batch of batches) if (batch.length === 0) throw new Error('An empty batch');
  await reader.close();
}

async function* chunksOf(file: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.length; start += 65_536)
    yield file.subarray(start, start + 65_536);
}

async function upload(origin: string, cookie: string, file: Buffer): Promise<string> {
  const answer = await fetch(`${origin}/api/payments/files/`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(file),
  });
  const { uuid, detail } = (await answer.json()) as { uuid?: string; detail?: unknown };
  if (uuid === undefined) throw new Error(`The file was refused: ${JSON.stringify(detail)}`);
  return uuid;
}

/** Books a file, and waits until a job has finished the rest. */
async function bookWhole(
  origin: string,
  cookie: string,
  uuid: string,
  many: number,
): Promise<void> {
  let file = await call(origin, cookie, `${uuid}/book/?entries=false`);
  while (file.state === 'BOOKING') {
    await sleep(LOOK_EVERY_MS);
    file = await call(origin, cookie, `${uuid}/?entries=false`, 'GET');
  }
  if (file.booked_count !== many) throw new Error(`Only ${file.booked_count} were booked`);
}

interface FileAnswer {
  readonly state?: string;
  readonly booked_count?: number;
}

async function call(
  origin: string,
  cookie: string,
  path: string,
  method = 'POST',
): Promise<FileAnswer> {
  const { pathname, search } = new URL(path, `${origin}/api/payments/files/`);
  return (await callApi(origin, cookie, [method, pathname + search])).json() as Promise<FileAnswer>;
}

/** Items per second. */
async function rateOf(many: number, work: () => Promise<unknown>): Promise<number> {
  return (many / (await timed(work))) * 1000;
}
