import path from 'node:path';

export interface Tally {
  passed: number;
  /** Tests with their files, files that do not load, checks. */
  failures: string[];
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
  if (json === undefined) return { passed: 0, failures: ['vitest wrote no report'], skipped: 0 };
  const { testResults } = JSON.parse(json) as {
    testResults: {
      name: string;
      status: string;
      message?: string;
      assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
    }[];
  };
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: path.relative('.', name) })),
  );
  const failures = [
    ...tests
      .filter(({ status }) => status === 'failed')
      .map(({ file, fullName, failureMessages }) =>
        withReason(`${file}: ${fullName}`, failureMessages?.[0]),
      ),
    // A file that cannot be loaded, or prepared, has no failed test to count.
    ...testResults
      .filter(
        ({ status, assertionResults }) =>
          status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
      )
      .map(({ name, message }) => withReason(path.relative('.', name), message)),
  ];
  if (failures.length === 0 && exitCode !== 0) failures.push('an error outside the tests');
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failures,
    skipped: tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .filter(({ fullName }) => names?.test(fullName) ?? true).length,
  };
}

/** With the first line of why it failed. */
function withReason(name: string, message = ''): string {
  const [reason] = message.split('\n', 1);
  return reason ? `${name}\n    ${reason}` : name;
}

export function addTallies(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failures: [...a.failures, ...b.failures],
    skipped: a.skipped + b.skipped,
  };
}

/**
 * The end of a run: what failed, so that it is read where a long output ends, and the last line, which continuous
 * integration reads.
 */
export function closingLines({ passed, failures, skipped }: Tally): string {
  const counts = `${passed} passed, ${failures.length} failed`;
  return [
    ...failures.map((failure) => `✗ ${failure}`),
    skipped === 0 ? counts : `${counts}, ${skipped} skipped`,
  ].join('\n');
}
