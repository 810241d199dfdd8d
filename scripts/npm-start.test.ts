import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

test('npm start passes SIGTERM to the server and waits until it has drained', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-start-'));
  try {
    for (const name of ['package.json', 'package-lock.json', 'scripts']) {
      fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
    }
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    fs.mkdirSync(path.join(folder, 'server'));
    fs.writeFileSync(
      path.join(folder, 'server', 'main.ts'),
      `const alive = setInterval(() => {}, 1000);
       process.on('SIGTERM', () => {
         setTimeout(() => { console.log('drained'); clearInterval(alive); }, 300);
       });
       console.log('listening on Node', process.versions.node as string);`,
    );
    const npm = spawn('npm', ['--silent', 'start'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    npm.stdout.once('data', () => npm.kill('SIGTERM'));
    const ended = once(npm, 'close');
    const output = await text(npm.stdout);
    await ended;

    expect(output).toMatch(/^listening on Node 26\..*\ndrained\n$/);
    expect(npm.exitCode).toBe(0);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
