// npm test, npm run test:postgres and npm run test:operations: `node scripts/test.ts SUITE [arguments of vitest run]`.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runChecks } from './check.ts';
import { ensureSystemPackages, type Suite } from './system-packages.ts';
import { addTallies, closingLine, tallyOfReport, type Tally } from './test-tally.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** The projects of vitest.config.ts in each suite. */
const PROJECTS: Record<Suite, string[]> = {
  test: ['unit*', 'server-embedded*', 'e2e'],
  postgres: ['server-postgres*'],
  operations: ['operations'],
};

/** The operations run real programs that may hang; the suite ends after this time (milliseconds). */
const OPERATIONS_LIMIT = 30 * 60_000;

const [suite, ...args] = process.argv.slice(2);
if (!isSuite(suite)) throw new Error(`Name a suite: ${Object.keys(PROJECTS).join(', ')}`);
await runSuite(suite, args);

function isSuite(name: string | undefined): name is Suite {
  return name !== undefined && Object.hasOwn(PROJECTS, name);
}

/**
 * Installs the programs that a suite needs, or reports which are missing. Runs the suite (for `test`, after the
 * static checks) and ends with the line `N passed, N failed`, which continuous integration reads. The exit code is 1
 * when anything failed.
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
  const checks = name === 'test' ? await runChecks(ROOT) : { passed: 0, failed: 0, skipped: 0 };
  const projects = PROJECTS[name].map((project) => `--project=${project}`);
  const timeout = name === 'operations' ? OPERATIONS_LIMIT : undefined;
  const tally = addTallies(checks, await runTests([...projects, ...args], timeout));
  console.log(closingLine(tally));
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

async function runTests(args: string[], timeout: number | undefined): Promise<Tally> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-test-'));
  const report = path.join(folder, 'report.json');
  const program = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const code = await exitCode([program, 'run', ...reporters, ...args], timeout);
    return tallyOfReport(fs.existsSync(report) ? fs.readFileSync(report, 'utf8') : undefined, code);
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
