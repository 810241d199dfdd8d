import { expect, test } from 'vitest';
import { addTallies, closingLine, tallyOfReport } from './test-tally.ts';

function report(passed: number, failed: number, pending = 0, files: object[] = []): string {
  return JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: 0,
    testResults: files,
  });
}

test.each([
  ['all passed', report(123, 0), 0, '123 passed, 0 failed'],
  ['some skipped', report(121, 0, 2), 0, '121 passed, 0 failed, 2 skipped'],
  ['some failed', report(120, 3), 1, '120 passed, 3 failed'],
  ['an error outside the tests', report(123, 0), 1, '123 passed, 1 failed'],
  ['vitest did not even start', undefined, 1, '0 passed, 1 failed'],
  ['no report in spite of success', undefined, 0, '0 passed, 1 failed'],
  [
    'a file that does not load',
    report(5, 1, 0, [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{}] },
    ]),
    1,
    '5 passed, 2 failed',
  ],
])('%s', (_name, json, exitCode, line) => {
  expect(closingLine(tallyOfReport(json, exitCode))).toBe(line);
});

test('the checks count too', () => {
  const checks = { passed: 3, failed: 1, skipped: 0 };
  expect(closingLine(addTallies(checks, tallyOfReport(report(10, 0), 0)))).toBe(
    '13 passed, 1 failed',
  );
});
