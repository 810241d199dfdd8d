// Reads one bank file in its own process and prints the cost: node bench/read-bank-file.ts FILE

import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { createBankFileReader } from '../server/payment/bank-file/read/bank-file-reader.ts';

/** The cost of reading a file. */
export interface ReadingCost {
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

const [, , file] = process.argv;
if (file !== undefined) console.log(JSON.stringify(await readFile(file)));
