import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
/** The changelog is left out: it also tells of files that are gone. */
const PAPERS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...list('docs/**/*.md')];

function list(pattern: string): string[] {
  return fs.globSync(pattern, { cwd: root });
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), 'utf8');
}

test('the papers name existing files', () => {
  const named = PAPERS.flatMap((paper) =>
    [
      ...read(paper).matchAll(/`((?:domain|server|web|e2e|scripts|operations)\/[\w./-]+\.\w+)`/g),
    ].map(([, file = '']) => file),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});

test('the papers name existing commands', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = PAPERS.flatMap((paper) =>
    [...read(paper).matchAll(/npm run (?:--silent )?([a-z][\w:]*)/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('comments point to existing rules', () => {
  const rules = list('docs/product/*.md').flatMap((file) =>
    [...read(file).matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map(([, rule = '']) => rule),
  );
  expect(new Set(rules).size).toBe(rules.length);
  const prefixes = [...new Set(rules.map((rule) => rule.replace(/-\d+$/, '')))];
  const pointer = new RegExp(String.raw`\b(?:${prefixes.join('|')})-\d+\b`, 'g');
  const pointed = list('{domain,server,web,e2e}/**/*.{ts,tsx,sql}').flatMap(
    (file) => read(file).match(pointer) ?? [],
  );
  expect(pointed.length).toBeGreaterThan(100);
  expect(pointed.filter((rule) => !rules.includes(rule))).toEqual([]);
});
