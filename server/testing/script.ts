import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import { NODE_SETTINGS, ROOT } from './process.ts';

/** Runs a file of the project to its end, with these settings and none of our own. */
export async function runScript(
  file: string,
  settings: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [resolve(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...NODE_SETTINGS, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
