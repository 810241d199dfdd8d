import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

import { environment } from '../server/platform/settings/environment.ts';

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

test('links of the papers lead to existing files and headings', () => {
  const targets = PAPERS.flatMap((paper) =>
    [...read(paper).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:|^(?:\.\.\/)+commit\//.test(target))
      .map((target) => ({ paper, target })),
  );
  expect(targets.length).toBeGreaterThan(100);
  expect(targets.filter(({ paper, target }) => !leadsSomewhere(paper, target))).toEqual([]);
});

function leadsSomewhere(paper: string, target: string): boolean {
  const [file = '', heading] = target.split('#', 2);
  const found = file === '' ? paper : path.join(path.dirname(paper), file);
  if (!fs.existsSync(path.join(root, found))) return false;
  return heading === undefined || !found.endsWith('.md') || headingsOf(found).includes(heading);
}

/** The names by which a link finds the headings of a paper. */
function headingsOf(paper: string): string[] {
  return [...read(paper).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

// FEAT-6
test('the README names every setting, and no other', () => {
  const rows = read('README.md').match(/^\| `[A-Z][^|]*\|/gm) ?? [];
  const named = rows.flatMap((row) => row.match(/(?<=`)[A-Z_]+(?=`)/g) ?? []);
  expect(named.toSorted()).toEqual(Object.keys(environment.shape).toSorted());
});

test('every command is described where its users look', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const papers = { operator: read('docs/operations.md'), developer: read('CONTRIBUTING.md') };
  const undescribed = Object.entries(scripts).filter(([name, command]) => {
    if (name.startsWith('pre')) return false;
    const paper = command.includes('scripts/operator.ts') ? papers.operator : papers.developer;
    return !new RegExp(`^\\| \`npm (?:run )?${name}(?: --.*)?\``, 'm').test(paper);
  });
  expect(undescribed).toEqual([]);
});

test('the list of decisions is complete', () => {
  const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)];
  const records = list('docs/decisions/[0-9]*.md').map((file) => path.basename(file));
  expect(listed.map(([, file]) => file)).toEqual(records.toSorted());
});

test('the map leads to the newest definition of a function of the database', () => {
  const pairs = read('ARCHITECTURE.md').matchAll(
    /`([a-z]+(?:_[a-z]+)+)` in `(server\/platform\/db\/(?:schema|migrations)\/[\w.-]+)`/g,
  );
  // Every migration is newer than the files of schema/.
  const files = [
    ...list('server/platform/db/schema/*.sql').toSorted(),
    ...list('server/platform/db/migrations/*.ts').toSorted(),
  ];
  const wrong = [...pairs].filter(([, name = '', file]) => {
    const definitions = files.filter((one) => read(one).includes(`FUNCTION ${name}(`));
    return definitions.length > 0 && definitions.at(-1) !== file;
  });
  expect(wrong.map(([pair]) => pair)).toEqual([]);
});

const RULES = list('docs/product/*.md').flatMap((file) =>
  [...read(file).matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map(([, rule = '']) => rule),
);

/** The rules that these files point to, each as often as it stands there. */
function pointedTo(files: readonly string[]): string[] {
  const prefixes = [...new Set(RULES.map((rule) => rule.replace(/-\d+$/, '')))];
  const pointer = new RegExp(String.raw`\b(?:${prefixes.join('|')})-\d+\b`, 'g');
  return files.flatMap((file) => read(file).match(pointer) ?? []);
}

test('comments point to existing rules', () => {
  expect(new Set(RULES).size).toBe(RULES.length);
  const pointed = pointedTo(list('{domain,server,web,e2e}/**/*.{ts,tsx,sql}'));
  expect(pointed.length).toBeGreaterThan(100);
  expect(pointed.filter((rule) => !RULES.includes(rule))).toEqual([]);
});

test('a test names each rule', () => {
  const named = new Set(pointedTo(list('{domain,server,web,e2e,scripts}/**/*.test.{ts,tsx}')));
  expect(RULES.filter((rule) => !named.has(rule))).toEqual([]);
});
