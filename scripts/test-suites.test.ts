import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import config from '../vitest.config.ts';
import { MAIN_JOURNEYS, SUITES, type Suite } from './test-suites.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const projects = (config.test?.projects ?? []).map((project) => {
  const { name, include } = (project as { test: { name: string; include: string[] } }).test;
  return { name, files: globSync(include, { cwd: ROOT }) };
});

/** The files of a suite, each with the project that runs it. */
function filesOf(suite: Suite): string[] {
  const patterns = SUITES[suite].flatMap((run) => run.projects);
  return projects
    .filter(({ name }) => patterns.some((pattern) => path.matchesGlob(name, pattern)))
    .flatMap(({ name, files }) => files.map((file) => `${name} ${file}`));
}

test('each file of tests is run, whole or by its titles, by `npm test` and the rest or by the operations', () => {
  const run = [...filesOf('test'), ...filesOf('rest'), ...filesOf('operations')];
  const written = globSync('{domain,web,scripts,server,e2e,operations}/**/*.test.{ts,tsx}', {
    cwd: ROOT,
  });
  expect([...new Set(run.map((each) => each.replace(/^\S+ /, '')))].toSorted()).toEqual(
    written.toSorted(),
  );
});

test('`npm test` and the rest have no file in common, and are all together', () => {
  const main = filesOf('test');
  const rest = filesOf('rest');
  expect(main.filter((file) => rest.includes(file))).toEqual([]);
  expect([...main, ...rest].toSorted()).toEqual(filesOf('all').toSorted());
});

test('`npm test` and the rest play the journeys of the same files, each by other titles', () => {
  const journeysOf = (suite: Suite) =>
    filesOf(suite)
      .map((file) => file.replace(/^\S+ /, ''))
      .filter((file) => path.matchesGlob(file, 'e2e/*.test.ts'));
  expect(journeysOf('test').toSorted()).toEqual(journeysOf('rest').toSorted());
  const names = [...SUITES.test, ...SUITES.rest].flatMap((run) => run.names ?? []);
  for (const title of [...MAIN_JOURNEYS, 'another journey'])
    expect(names.filter((pattern) => pattern.test(title))).toHaveLength(1);
});

test.each(MAIN_JOURNEYS)('one file has the journey: %s', (title) => {
  const having = globSync('e2e/*.test.ts', { cwd: ROOT }).filter((file) =>
    readFileSync(path.join(ROOT, file), 'utf8').includes(`'${title}`),
  );
  expect(having).toHaveLength(1);
});
