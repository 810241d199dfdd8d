import path from 'node:path';
import { expect, test } from 'vitest';
import { addTallies, closingLines, tallyOfReport } from './test-tally.ts';

function report(...files: object[]): string {
  return JSON.stringify({ testResults: files });
}

function file(name: string, ...tests: [status: string, fullName: string][]): object {
  return {
    name: path.resolve(name),
    status: tests.some(([status]) => status === 'failed') ? 'failed' : 'passed',
    assertionResults: tests.map(([status, fullName]) => ({ status, fullName })),
  };
}

const passed = file('a.test.ts', ['passed', 'a'], ['passed', 'b']);

test.each([
  ['all passed', report(passed), 0, ['2 passed, 0 failed']],
  [
    'some skipped',
    report(passed, file('b.test.ts', ['skipped', 'a'], ['todo', 'b'], ['passed', 'c'])),
    0,
    ['3 passed, 0 failed, 2 skipped'],
  ],
  [
    'some failed',
    report(passed, file('b.test.ts', ['failed', 'pays'], ['passed', 'b'], ['failed', 'sends'])),
    1,
    ['✗ b.test.ts: pays', '✗ b.test.ts: sends', '3 passed, 2 failed'],
  ],
  [
    'an error outside the tests',
    report(passed),
    1,
    ['✗ an error outside the tests', '2 passed, 1 failed'],
  ],
  ['vitest did not even start', undefined, 1, ['✗ vitest wrote no report', '0 passed, 1 failed']],
  [
    'no report in spite of success',
    undefined,
    0,
    ['✗ vitest wrote no report', '0 passed, 1 failed'],
  ],
  [
    'a file that does not load',
    report(
      {
        name: path.resolve('b.test.ts'),
        status: 'failed',
        assertionResults: [],
        message: 'No b\nat',
      },
      passed,
    ),
    1,
    ['✗ b.test.ts', '    No b', '2 passed, 1 failed'],
  ],
  [
    'a test that says why, and a file whose preparation failed',
    report(
      {
        name: path.resolve('a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'failed', fullName: 'pays', failureMessages: ['Error: Not in time\n at'] },
        ],
      },
      { ...file('b.test.ts', ['skipped', 'a']), status: 'failed', message: '' },
    ),
    1,
    ['✗ a.test.ts: pays', '    Error: Not in time', '✗ b.test.ts', '0 passed, 2 failed, 1 skipped'],
  ],
])('%s', (_name, json, exitCode, lines) => {
  expect(closingLines(tallyOfReport(json, exitCode)).split('\n')).toEqual(lines);
});

test('tests that a run leaves out by name are not skipped', () => {
  const json = report(
    file('a.test.ts', ['passed', 'a way'], ['skipped', 'a way on'], ['skipped', 'b']),
  );
  expect(closingLines(tallyOfReport(json, 0, /^a way/))).toBe('1 passed, 0 failed, 1 skipped');
  expect(closingLines(tallyOfReport(json, 0))).toBe('1 passed, 0 failed, 2 skipped');
});

test('the checks count too', () => {
  const checks = { passed: 3, failures: ['types'], skipped: 0 };
  expect(closingLines(addTallies(checks, tallyOfReport(report(passed), 0)))).toBe(
    '✗ types\n5 passed, 1 failed',
  );
});
