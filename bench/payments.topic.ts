import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { createBankFileReader } from '../server/payment/bank-file/read/bank-file-reader.ts';
import { ocrFile } from '../server/testing/bank-files/ocr-file.ts';
import { CUSTOMER, invoiceBody, PROFILE } from '../server/testing/factories.ts';
import { until } from '../server/testing/until.ts';
import { measureReading } from './bank-file-reading.ts';
import { beside, type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';
import { measureWhile, median, timed } from './load.ts';
import { ask, call, logIn, type Person } from './person.ts';
import { BANK_ACCOUNT } from './sample-invoices.ts';
import { seedInvoices } from './seed-companies.ts';
import { putOffJobs } from './seed.ts';

const ROUNDS = 3;
/** A quarter of the sample invoices is open. */
const SEEDED_FOR_EACH = 32;
/** More than one page of the list. */
const LISTED = 25;
const IDLE_MS = 2000;
const LOOK_EVERY_MS = 50;
const TIMEOUT = 5 * 60_000;

/** A file of payments from upload to booking: read, matched and booked. Compared with reading it alone. */
export async function measurePayments(harness: Harness): Promise<Figure[]> {
  const many = harness.options.quick ? 1000 : 5000;
  const url = await harness.newDatabase();
  const companyId = await seedInvoices(url, many * SEEDED_FOR_EACH);
  const { origin } = await harness.newServer({ DATABASE_URL: url, FEATURES: 'payments' });
  const person = await logIn(url, origin);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  harness.defer(async () => pool.end());
  await putOffJobs(pool);
  const nextFile = async () => fileOf(await openPayments(pool, companyId, many));
  const times = { read: [] as number[], preview: [] as number[], book: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const file = await nextFile();
    times.read.push(await timed(async () => readAlone(file)));
    let uuid = '';
    times.preview.push(await timed(async () => (uuid = await upload(person, file))));
    times.book.push(await timed(async () => bookWhole(person, uuid, many)));
  }
  const [read, preview, book] = [median(times.read), median(times.preview), median(times.book)];
  const rate = (milliseconds: number) => (many / milliseconds) * 1000;
  return [
    figure(
      `read, matched and booked, ${many.toLocaleString('en-GB')} payments`,
      rate(preview + book),
      '/s',
      beside('reading alone', rate(read)),
    ),
    figure('upload to preview', rate(preview), '/s'),
    figure('booking', rate(book), '/s'),
    await measureBeside(await openNeighbour(url, origin), async () =>
      bookWhole(person, await upload(person, await nextFile()), many),
    ),
    ...(await measureReading(harness)),
  ];
}

/** The owner of another company, with some invoices to list. */
async function openNeighbour(url: string, origin: string): Promise<Person> {
  const neighbour = await logIn(url, origin, 'nabo@example.no');
  await ask(neighbour, 'POST', '/api/users/update/', PROFILE);
  const { customer_number: customer } = await ask<{ customer_number: number }>(
    neighbour,
    'POST',
    '/api/customers/create/',
    CUSTOMER,
  );
  for (let drafts = 0; drafts < LISTED; drafts += 1) {
    await ask(neighbour, 'POST', '/api/invoices/create/', invoiceBody([customer]));
  }
  return neighbour;
}

/** The duration of another company's list while a file is read and booked, compared with idle. */
async function measureBeside(neighbour: Person, work: () => Promise<unknown>): Promise<Figure> {
  const list = async () => ask(neighbour, 'GET', '/api/invoices/');
  const idle = await measureWhile(async () => sleep(IDLE_MS), list);
  const meanwhile = await measureWhile(work, list);
  return figure(
    'p95 of another company’s list beside it',
    meanwhile.p95,
    'ms',
    beside('when nothing else is done', idle.p95),
  );
}

/** A payment of an open invoice, in full. */
interface Payment {
  readonly kid: string;
  /** Øre. */
  readonly amount: number;
}

async function openPayments(pool: pg.Pool, companyId: number, many: number): Promise<Payment[]> {
  const { rows } = await pool.query<Payment>(
    `SELECT kid, (gross_amount - paid_amount)::float8 AS amount FROM invoice
     WHERE company_id = $1 AND status = 'REGISTERED' AND kind = 'INVOICE' ORDER BY id LIMIT $2`,
    [companyId, many],
  );
  if (rows.length < many) throw new Error(`Only ${rows.length} invoices are open`);
  return rows;
}

let files = 0;

function fileOf(payments: readonly Payment[]): Buffer {
  files += 1;
  return ocrFile([{ number: files, assignments: [{ account: BANK_ACCOUNT, payments }] }]);
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

const FILES = '/api/payments/files/';

async function upload(person: Person, file: Buffer): Promise<string> {
  return (await ask<{ uuid: string }>(person, 'POST', FILES, file)).uuid;
}

interface FileAnswer {
  readonly state: string;
  readonly booked_count: number;
}

/** Books a file, and waits until a job has finished the rest. */
async function bookWhole(person: Person, uuid: string, many: number): Promise<void> {
  await call(person, 'POST', `${FILES}${uuid}/book/?entries=false`);
  const look = async () => ask<FileAnswer>(person, 'GET', `${FILES}${uuid}/?entries=false`);
  const file = await until(look, ({ state }) => state !== 'BOOKING', TIMEOUT, LOOK_EVERY_MS);
  if (file.booked_count !== many) throw new Error(`Only ${file.booked_count} were booked`);
}
