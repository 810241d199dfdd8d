export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Counts the tests in vitest's JSON report.
 *
 * @param json undefined when vitest ended before it wrote a report
 * @param exitCode of vitest; when it fails although no test did (an error outside the tests, or in the set-up), it
 * counts as one failure
 * @param names of the tests of the run: vitest reports the others as skipped
 */
export function tallyOfReport(json: string | undefined, exitCode: number, names?: RegExp): Tally {
  const none = { passed: 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 };
  if (json === undefined) return { ...none, failed: 1 };
  const report = JSON.parse(json) as {
    numPassedTests: number;
    numFailedTests: number;
    testResults: { status: string; assertionResults: { status: string; fullName: string }[] }[];
  };
  // A file that cannot be loaded has no tests to count.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  const left = report.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .filter(({ fullName }) => names?.test(fullName) ?? true);
  return {
    passed: report.numPassedTests,
    failed: Math.max(failed, none.failed),
    skipped: left.length,
  };
}

export function addTallies(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

/** The last line, which continuous integration reads. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}
