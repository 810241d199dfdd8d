import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { giveName } from './secret-key.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'faktur-new-file-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a written file gets its name, and an existing file of that name stays', () => {
  const [file, first, second] = ['file', 'first', 'second'].map((name) => join(folder, name));
  if (!file || !first || !second) throw new Error('No names');
  writeFileSync(first, 'first');
  writeFileSync(second, 'second');
  expect(giveName(first, file)).toBe(true);
  expect(giveName(second, file)).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('first');
  expect([first, second].filter((name) => existsSync(name))).toEqual([]);
});

test('in a missing folder nothing is left', () => {
  const written = join(folder, 'written');
  writeFileSync(written, 'text');
  expect(() => giveName(written, join(folder, 'missing', 'file'))).toThrow('ENOENT');
  expect(existsSync(written)).toBe(false);
});
