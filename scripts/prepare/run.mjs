import { spawn } from 'node:child_process';

/**
 * Runs a program with both its output streams on our standard error, so that only the server writes to the standard
 * output of `npm start`.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} the exit code; 1 when a signal ended it
 */
export function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 2, 2] });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
