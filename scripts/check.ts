// npm run check: format, lint, types, dead code and English.

import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Tally } from './test-tally.ts';

interface Check {
  name: string;
  /** A program of node_modules/.bin and its arguments. */
  command: [string, ...string[]];
}

const CHECKS: Check[] = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'types', command: ['tsc'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'English', command: ['node', 'scripts/english.ts'] },
];

/**
 * Runs all static checks in sequence, even after one fails, and prints the output of those that fail.
 *
 * @param root the project's folder
 */
export async function runChecks(root: string): Promise<Tally> {
  const tally: Tally = { passed: 0, failures: [], skipped: 0 };
  for (const check of CHECKS) {
    const { code, output } = await capture(root, check.command);
    console.log(`${code === 0 ? '✓' : '✗'} ${check.name}`);
    if (code === 0) {
      tally.passed += 1;
    } else {
      tally.failures.push(check.name);
      console.log(output);
    }
  }
  return tally;
}

async function capture(
  root: string,
  [program, ...args]: [string, ...string[]],
): Promise<{ code: number; output: string }> {
  const executable = path.join(root, 'node_modules', '.bin', program);
  const child = spawn(executable, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}

if (import.meta.main) {
  const { failures } = await runChecks(path.resolve(import.meta.dirname, '..'));
  process.exitCode = failures.length === 0 ? 0 : 1;
}
