import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const text = fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

test('CONTRIBUTING names existing files', () => {
  const named = [...text.matchAll(/`([\w./-]+\/[\w.-]+\.tsx?)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});

test('CONTRIBUTING names existing commands', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});
