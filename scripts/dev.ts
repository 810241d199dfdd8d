// npm run dev: the server, restarted when its files change, and Vite in front of it.

import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const options = { cwd: root, stdio: 'inherit' } as const;
// What the browser sees is Vite: the server takes requests from this origin and mails its links.
const env = { PUBLIC_URL: 'http://127.0.0.1:5173', ...process.env };

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
