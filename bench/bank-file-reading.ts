import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { createBankFileReader } from '../server/payment/bank-file/read/bank-file-reader.ts';
import { camtPieces } from '../server/testing/bank-files/camt-file.ts';
import { ocrLines } from '../server/testing/bank-files/ocr-file.ts';
import { atMost, type Figure, figure } from './figure.ts';
import type { Harness } from './harness.ts';

/** Transactions of a file of 50 MB, the largest that is read. */
const TRANSACTIONS = { ocr: 314_000, oneEntry: 111_000, manyEntries: 81_000 };
const QUICK_PART = 10;
const SECONDS = 60;
const MEGABYTES = 400;
const MILLISECONDS = 50;

/** Cost of reading the largest file of each format: time, memory, and how long it blocks the event loop. */
export async function measureReading(harness: Harness): Promise<Figure[]> {
  const folder = await harness.newFolder();
  const figures: Figure[] = [];
  for (const [name, pieces] of Object.entries(files(harness.options.quick ? QUICK_PART : 1))) {
    const file = path.join(folder, 'file');
    harness.say(`reading ${name}`);
    fs.writeFileSync(
      file,
      Iterator.from(pieces).toArray().join(''),
      name === 'OCR giro' ? 'latin1' : 'utf8',
    );
    figures.push(...figuresOf(name, await read(file)));
  }
  return figures;
}

function figuresOf(name: string, cost: ReadingCost): Figure[] {
  return [
    figure(`${name}, read`, cost.count / cost.seconds, '/s'),
    figure(`${name}, all`, cost.seconds, 's', atMost(SECONDS)),
    figure(`${name}, memory above idle`, cost.megabytes, 'MB', atMost(MEGABYTES)),
    figure(`${name}, event loop held`, cost.held, 'ms', atMost(MILLISECONDS)),
  ];
}

function files(part: number): Record<string, Iterable<string>> {
  const numbersTo = (count: number) => Array.from({ length: count / part }, (_, index) => index);
  const kidOf = (index: number) => String(1_000_000_000 + index);
  const details = numbersTo(TRANSACTIONS.oneEntry).map((index) => ({
    amount: '125.00',
    reference: `D${index}`,
    payer: `Øyvind Åsheim ${index}`,
    payerAccount: String(10_000_000_000 + index),
    kids: [{ kid: kidOf(index) }],
  }));
  const total = (125 * details.length).toFixed(2);
  const payments = numbersTo(TRANSACTIONS.ocr).map((index) => ({
    amount: 12_500,
    kid: kidOf(index),
    serial: index % 1000,
  }));
  const entries = numbersTo(TRANSACTIONS.manyEntries).map((index) => ({
    amount: '125.00',
    reference: `E${index}`,
    details: [{ payer: `Øyvind Åsheim ${index}`, kids: [{ kid: kidOf(index) }] }],
  }));
  return {
    'OCR giro': ocrLines({ assignments: [{ payments }] }).map((line) => `${line}\r\n`),
    'camt.054, one entry': camtPieces({
      statements: [{ entries: [{ amount: total, reference: 'E', details }] }],
    }),
    'camt.053, many entries': camtPieces({
      format: 'CAMT053',
      version: '08',
      statements: [{ entries }],
    }),
  };
}

async function read(file: string): Promise<ReadingCost> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, file]);
  return JSON.parse(stdout) as ReadingCost;
}

interface ReadingCost {
  readonly count: number;
  readonly seconds: number;
  /** Memory of the process above its start (MB). */
  readonly megabytes: number;
  /** The longest processor time of the main thread between two turns of its event loop (milliseconds). */
  readonly held: number;
}

async function readFile(file: string): Promise<ReadingCost> {
  const reader = createBankFileReader();
  const signal = new AbortController().signal;
  // Warm-up: code that is not loaded yet would be read from disk during the measurement.
  await reader
    .read(fs.createReadStream(file, { end: 0 }), { companyId: 1, signal })
    .catch(() => null);
  await sleep(500);
  const idle = process.memoryUsage.rss();
  let most = idle;
  let held = 0;
  let spent = process.threadCpuUsage();
  // Processor time, because on a busy machine wall time grows without blocking.
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(spent);
    spent = process.threadCpuUsage();
    held = Math.max(held, (user + system) / 1000);
    most = Math.max(most, process.memoryUsage.rss());
  }, 1);
  const began = performance.now();
  const { batches } = await reader.read(fs.createReadStream(file), { companyId: 1, signal });
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    // As with a database statement between two batches.
    await sleep(0);
  }
  const seconds = (performance.now() - began) / 1000;
  clearInterval(timer);
  await reader.close();
  return { count, seconds, megabytes: (most - idle) / 1e6, held };
}

// The process in which one file is read.
if (import.meta.main) console.log(JSON.stringify(await readFile(process.argv[2] ?? '')));
