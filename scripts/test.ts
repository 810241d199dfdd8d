// npm test: the static checks, then every test on every database and in the browser. Ends with a
// line of its own, `N passed, N failed`, that a machine can read.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runChecks } from './checks.ts';
import { ensureSystemPackages } from './system-packages.ts';
import { addTallies, closingLine, tallyOfReport } from './test-tally.ts';

const root = path.resolve(import.meta.dirname, '..');

async function runTests(filters: string[]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-test-'));
  const report = path.join(folder, 'report.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const program = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  try {
    const code = await exitCode(process.execPath, [program, ...args, ...filters]);
    return tallyOfReport(fs.existsSync(report) ? fs.readFileSync(report, 'utf8') : undefined, code);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function exitCode(program: string, args: string[]): Promise<number> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(code ?? 1);
    });
  });
}

const missing = ensureSystemPackages();
if (missing === undefined) {
  const checks = await runChecks(root);
  const tests = await runTests(process.argv.slice(2));
  const total = addTallies(checks, tests);
  console.log(closingLine(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
} else {
  console.error(missing);
  process.exitCode = 1;
}
