import { expect, test } from 'vitest';
import { addTallies, closingLine, tallyOfReport } from './test-tally.ts';

function report(passed: number, failed: number, files: object[] = []): string {
  return JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: files });
}

function fileOf(...tests: [status: string, fullName: string][]): object {
  return {
    status: 'passed',
    assertionResults: tests.map(([status, fullName]) => ({ status, fullName })),
  };
}

test.each([
  ['all passed', report(123, 0), 0, '123 passed, 0 failed'],
  [
    'some skipped',
    report(121, 0, [fileOf(['skipped', 'a'], ['todo', 'b'], ['passed', 'c'])]),
    0,
    '121 passed, 0 failed, 2 skipped',
  ],
  ['some failed', report(120, 3), 1, '120 passed, 3 failed'],
  ['an error outside the tests', report(123, 0), 1, '123 passed, 1 failed'],
  ['vitest did not even start', undefined, 1, '0 passed, 1 failed'],
  ['no report in spite of success', undefined, 0, '0 passed, 1 failed'],
  [
    'a file that does not load',
    report(5, 1, [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed', fullName: 'a' }] },
    ]),
    1,
    '5 passed, 2 failed',
  ],
])('%s', (_name, json, exitCode, line) => {
  expect(closingLine(tallyOfReport(json, exitCode))).toBe(line);
});

test('tests that a run leaves out by name are not skipped', () => {
  const json = report(1, 0, [
    fileOf(['passed', 'a way'], ['skipped', 'a way on'], ['skipped', 'b']),
  ]);
  expect(closingLine(tallyOfReport(json, 0, /^a way/))).toBe('1 passed, 0 failed, 1 skipped');
  expect(closingLine(tallyOfReport(json, 0))).toBe('1 passed, 0 failed, 2 skipped');
});

test('the checks count too', () => {
  const checks = { passed: 3, failed: 1, skipped: 0 };
  expect(closingLine(addTallies(checks, tallyOfReport(report(10, 0), 0)))).toBe(
    '13 passed, 1 failed',
  );
});
