// npm test, npm run test:all and the other suites: `node scripts/test.ts SUITE [arguments of vitest run]`.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runChecks } from './check.ts';
import { ensureSystemPackages } from './system-packages.ts';
import { SUITES, type Suite, type TestRun } from './test-suites.ts';
import { addTallies, closingLines, tallyOfReport, type Tally } from './test-tally.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** The operations run real programs that may hang; the suite ends after this time (milliseconds). */
const OPERATIONS_LIMIT = 30 * 60_000;

const [suite, ...args] = process.argv.slice(2);
if (!isSuite(suite)) throw new Error(`Name a suite: ${Object.keys(SUITES).join(', ')}`);
await runSuite(suite, args);

function isSuite(name: string | undefined): name is Suite {
  return name !== undefined && Object.hasOwn(SUITES, name);
}

/**
 * Installs the programs that a suite needs, or reports which are missing. Runs the suite (`test` and `all` after
 * the static checks) and ends with what failed and the line `N passed, N failed`, which continuous integration reads. The
 * exit code is 1 when anything failed.
 *
 * @param args of `vitest run`: which files
 */
async function runSuite(name: Suite, args: string[]): Promise<void> {
  const missing = ensureSystemPackages(name);
  if (missing !== undefined) {
    console.error(missing);
    process.exitCode = 1;
    return;
  }
  const isChecked = name === 'test' || name === 'all';
  let tally: Tally = isChecked ? await runChecks(ROOT) : { passed: 0, failures: [], skipped: 0 };
  const timeout = name === 'operations' ? OPERATIONS_LIMIT : undefined;
  for (const run of SUITES[name]) tally = addTallies(tally, await runTests(run, args, timeout));
  console.log(closingLines(tally));
  process.exitCode = tally.failures.length === 0 ? 0 : 1;
}

async function runTests(
  { projects, names }: TestRun,
  args: string[],
  timeout: number | undefined,
): Promise<Tally> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-test-'));
  const report = path.join(folder, 'report.json');
  const program = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['default', 'json', './scripts/test-cost.reporter.ts'];
  const options = [
    ...projects.map((project) => `--project=${project}`),
    ...(names === undefined ? [] : [`--testNamePattern=${names.source}`]),
    ...reporters.map((reporter) => `--reporter=${reporter}`),
    `--outputFile.json=${report}`,
  ];
  try {
    const code = await exitCode([program, 'run', ...options, ...args], timeout);
    const json = fs.existsSync(report) ? fs.readFileSync(report, 'utf8') : undefined;
    return tallyOfReport(json, code, names);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function exitCode(args: string[], timeout: number | undefined): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Its own group, so that the limit ends the programs that it started too.
    detached: timeout !== undefined,
  });
  if (timeout !== undefined) {
    const end = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
    const timer = setTimeout(end, timeout);
    child.once('close', () => clearTimeout(timer));
    // A key press reaches only the group of the terminal.
    process.once('SIGINT', end);
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(code ?? 1);
    });
  });
}
