import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { deleteDemo, makeDemo, takeClock } from './make-demo.ts';

let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-no-demo-'));
  fs.writeFileSync(path.join(folder, 'secret.key'), 'of somebody');
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test('a folder that is not a demo is neither used nor deleted', async () => {
  await expect(makeDemo(folder, { weeks: 0 })).rejects.toThrow('is no demo');
  expect(() => deleteDemo(folder)).toThrow('is no demo');
  expect(fs.readdirSync(folder)).toEqual(['secret.key']);
});

test('a moved clock runs on, and is restored', () => {
  const clock = takeClock();
  try {
    clock.moveTo('2020-02-28');
    expect(new Date().toISOString()).toMatch(/^2020-02-28T09:03:00/);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.UTC(2020, 1, 28, 9, 3));
    expect(new Date(0).getTime()).toBe(0);
    expect(new Date()).toBeInstanceOf(Date);
  } finally {
    clock.giveBack();
  }
  expect(new Date().getUTCFullYear()).toBeGreaterThan(2020);
});
