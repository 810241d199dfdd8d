import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { camtPieces } from '../server/testing/bank-files/camt-file.ts';
import { ocrLines } from '../server/testing/bank-files/ocr-file.ts';
import type { Figure } from './figure.ts';
import type { Harness } from './harness.ts';
import type { ReadingCost } from './read-bank-file.ts';

const TRANSACTIONS = 500_000;
const QUICK_TRANSACTIONS = 50_000;
const SECONDS = 60;
const MEGABYTES = 150;
const MILLISECONDS = 50;
const WRITTEN_AT_ONCE = 1_000_000;

/** Cost of reading a large file of each format: time, memory, and how long it blocks the event loop. */
export async function measureReading(harness: Harness): Promise<Figure[]> {
  const count = harness.options.quick ? QUICK_TRANSACTIONS : TRANSACTIONS;
  const folder = await harness.newFolder();
  const figures: Figure[] = [];
  for (const [name, pieces] of Object.entries(files(count))) {
    const file = path.join(folder, 'file');
    harness.say(`reading ${count.toLocaleString('en-GB')} transactions of ${name}`);
    write(file, pieces, name === 'OCR giro' ? 'latin1' : 'utf8');
    figures.push(...figuresOf(name, await read(file)));
  }
  return figures;
}

function figuresOf(name: string, cost: ReadingCost): Figure[] {
  const most = (bound: number) => ({ is: 'at most', bound }) as const;
  return [
    { name: `${name}, read`, value: cost.count / cost.seconds, unit: '/s' },
    { name: `${name}, all`, value: cost.seconds, unit: 's', target: most(SECONDS) },
    {
      name: `${name}, memory above idle`,
      value: cost.megabytes,
      unit: 'MB',
      target: most(MEGABYTES),
    },
    { name: `${name}, event loop held`, value: cost.held, unit: 'ms', target: most(MILLISECONDS) },
  ];
}

function files(count: number): Record<string, Iterable<string>> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const kidOf = (index: number) => String(1_000_000_000 + index);
  const details = numbers.values().map((index) => ({
    amount: '125.00',
    reference: `D${index}`,
    payer: `Øyvind Åsheim ${index}`,
    payerAccount: String(10_000_000_000 + index),
    kids: [{ kid: kidOf(index) }],
  }));
  const total = (125 * count).toFixed(2);
  const payments = numbers.values().map((index) => ({
    amount: 12_500,
    kid: kidOf(index),
    serial: index % 1000,
  }));
  const entries = numbers.values().map((index) => ({
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

function write(file: string, pieces: Iterable<string>, encoding: BufferEncoding): void {
  const handle = fs.openSync(file, 'w');
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < WRITTEN_AT_ONCE) continue;
    fs.writeSync(handle, text, null, encoding);
    text = '';
  }
  fs.writeSync(handle, text, null, encoding);
  fs.closeSync(handle);
}

async function read(file: string): Promise<ReadingCost> {
  const script = path.join(import.meta.dirname, 'read-bank-file.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, file]);
  return JSON.parse(stdout) as ReadingCost;
}
