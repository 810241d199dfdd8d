import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { zipOf, type ZipEntry } from './zip.ts';

const modifiedAt = new Date('2026-11-25T12:00:00Z');
const encoder = new TextEncoder();

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zip-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function* parts(...texts: readonly string[]) {
  for (const text of texts) yield encoder.encode(text);
}

async function saved(entries: AsyncIterable<ZipEntry>, name: string): Promise<string> {
  const file = join(folder, name);
  const bytes: Uint8Array[] = [];
  for await (const part of zipOf(entries)) bytes.push(part);
  writeFileSync(file, Buffer.concat(bytes));
  return file;
}

function unzip(...args: readonly string[]): string {
  return execFileSync('unzip', args, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
}

test('a ZIP has what was put into it, in order, stored or deflated', async () => {
  async function* entries(): AsyncIterable<ZipEntry> {
    yield { path: 'Åpne poster.csv', content: parts('a;b\r\n', '1;2\r\n'), modifiedAt };
    yield { path: 'dokumenter/1.pdf', content: encoder.encode('pdf'), stored: true, modifiedAt };
    yield { path: 'dokumenter/2.pdf', content: parts('p', 'df'), stored: true, modifiedAt };
    yield { path: 'tom.txt', content: parts(), modifiedAt };
  }

  const file = await saved(entries(), 'some.zip');

  expect(unzip('-tq', file)).toContain('No errors');
  expect(unzip('-Z1', file).trim().split('\n')).toEqual([
    'Åpne poster.csv',
    'dokumenter/1.pdf',
    'dokumenter/2.pdf',
    'tom.txt',
  ]);
  expect(unzip('-p', file, 'Åpne poster.csv')).toBe('a;b\r\n1;2\r\n');
  expect(unzip('-p', file, 'dokumenter/2.pdf')).toBe('pdf');
});

// EXP-40
test('a ZIP may have more than 65,535 files', async () => {
  async function* entries(): AsyncIterable<ZipEntry> {
    for (let number = 1; number <= 66_000; number++) {
      yield { path: `${number}`, content: encoder.encode('x'), stored: true, modifiedAt };
    }
  }

  const file = await saved(entries(), 'many.zip');

  expect(unzip('-Z1', file).trim().split('\n')).toHaveLength(66_000);
  expect(unzip('-p', file, '66000')).toBe('x');
});

// EXP-40
test('an entry that fails breaks the ZIP with its error', async () => {
  async function* failing() {
    yield encoder.encode('half');
    throw new Error('the database is gone');
  }
  async function* entries(): AsyncIterable<ZipEntry> {
    yield { path: 'half.csv', content: failing(), modifiedAt };
    yield { path: 'never.csv', content: parts(), modifiedAt };
  }
  async function* brokenList(): AsyncIterable<ZipEntry> {
    yield { path: 'whole.csv', content: parts('x'), modifiedAt };
    throw new Error('no more pages');
  }

  await expect(saved(entries(), 'half.zip')).rejects.toThrow('the database is gone');
  await expect(saved(brokenList(), 'broken.zip')).rejects.toThrow('no more pages');
});

test('a reader that is slow or goes away is not read ahead of', async () => {
  let read = 0;
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) {
        read += 1;
        yield crypto.getRandomValues(new Uint8Array(65_536));
      }
    } finally {
      isEnded = true;
    }
  }
  async function* entries(): AsyncIterable<ZipEntry> {
    yield { path: 'endless', content: endless(), modifiedAt };
  }

  for await (const part of zipOf(entries())) {
    expect(part.length).toBeGreaterThan(0);
    await sleep(200);
    if (read > 1) break;
  }

  expect(read).toBeLessThan(20);
  expect(isEnded).toBe(true);
});
