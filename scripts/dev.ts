// npm run dev: the server, restarted when its files change, behind Vite. Unless another folder is set, it uses its
// own data with an example company.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DEMO_EMAIL } from './demo/company.ts';
import { makeDemo } from './demo/make-demo.ts';

const root = path.resolve(import.meta.dirname, '..');
const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const options = { cwd: root, stdio: 'inherit' } as const;
// The browser sees Vite: the server accepts requests from this origin and uses it in mailed links.
const ORIGIN = 'http://127.0.0.1:5173';
const devData = path.join(root, 'dev-data');
/** Enough data to look at, and made quickly. */
const WEEKS = 3;
const env: NodeJS.ProcessEnv = { PUBLIC_URL: ORIGIN, ...process.env };

if (!env.DATA_DIR && !env.DATABASE_URL) {
  env.DATA_DIR = devData;
  if (!existsSync(devData)) await makeDemo(devData, { weeks: WEEKS });
  console.log(`Log in as ${DEMO_EMAIL} at ${ORIGIN}/auth/login/; the code is then written here.`);
  console.log(`To begin anew, stop, delete ${devData} and start again.\n`);
}

const children = [
  spawn(process.execPath, ['--watch', 'server/main.ts'], { ...options, env }),
  spawn(process.execPath, [vite], options),
];

function stop(): void {
  for (const child of children) child.kill('SIGTERM');
}

process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) {
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0;
    stop();
  });
}
