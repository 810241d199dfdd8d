import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureSystemPackages, type Suite } from './system-packages.ts';
import { closingLine, tallyOfReport, type Tally } from './test-tally.ts';

/** The project's folder. */
export const root = path.resolve(import.meta.dirname, '..');

/**
 * Installs what a suite needs, or says what is missing; runs it; and ends with a line of its own,
 * `N passed, N failed`, that a machine can read. The exit code is 1 when anything failed.
 */
export async function runSuite(suite: Suite, run: () => Promise<Tally>): Promise<void> {
  const missing = ensureSystemPackages(suite);
  if (missing !== undefined) {
    console.error(missing);
    process.exitCode = 1;
    return;
  }
  const tally = await run();
  console.log(closingLine(tally));
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

/**
 * Runs tests and counts them.
 *
 * @param args of `vitest run`: which project, which files
 * @param timeout after which the run is ended and counts as failed; milliseconds
 */
export async function runTests(args: string[], timeout?: number): Promise<Tally> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-test-'));
  const report = path.join(folder, 'report.json');
  const program = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const code = await exitCode(process.execPath, [program, 'run', ...reporters, ...args], timeout);
    return tallyOfReport(fs.existsSync(report) ? fs.readFileSync(report, 'utf8') : undefined, code);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function exitCode(program: string, args: string[], timeout?: number): Promise<number> {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout,
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(code ?? 1);
    });
  });
}
