import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withLock } from './lock.mjs';
import { agreesWithRecord, installPackages, isTooOld } from './packages.mjs';
import { webAppIsCurrent, webFingerprint } from './web-app.mjs';

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-prepare-'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true, force: true });
});

function write(name: string, content: string, mode = 0o644): void {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { mode });
}

function read(name: string): string {
  return fs.readFileSync(path.join(folder, name), 'utf8');
}

describe('the packages that npm has installed', () => {
  const manifest = { dependencies: { a: '1.0.0' } };
  const locked = {
    '': manifest,
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/only-on-windows': { version: '2.0.0', optional: true },
  };
  const installed = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };

  test('match without the optional packages of other platforms', () => {
    expect(agreesWithRecord(manifest, locked, installed)).toBe(true);
  });

  test.each([
    ['another version', manifest, { 'node_modules/a': { version: '1.0.1' } }],
    ['a package too few', manifest, {}],
    ['a package too many', manifest, { ...installed, 'node_modules/b': { version: '1.0.0' } }],
    ['a lock file behind package.json', { dependencies: { a: '2.0.0' } }, installed],
  ])('does not agree with %s', (_name, asked, found) => {
    expect(agreesWithRecord(asked, locked, found)).toBe(false);
  });
});

describe('the Node that npm runs on', () => {
  test.each(['20.19.0', '20.20.2', '22.12.0', '24.0.0', '26.10.0'])('may be %s', (version) => {
    expect(isTooOld(version)).toBe(false);
  });

  test.each(['16.20.2', '18.20.8', '20.18.3', '21.7.3', '22.11.0'])(
    'is refused when it is %s, before anything is installed',
    async (version) => {
      vi.stubEnv('npm_config_user_agent', `npm/10.8.2 node/v${version} linux x64 workspaces/false`);
      await expect(installPackages(folder)).rejects.toThrow(
        `npm runs on Node ${version}, which is`,
      );
      expect(fs.readdirSync(folder)).toEqual([]);
    },
  );

  test('is the one in package.json', () => {
    const manifest = JSON.parse(
      fs.readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as { engines: object };
    expect(manifest.engines).toEqual({ node: '^20.19.0 || >=22.12.0' });
  });
});

describe('the built web app', () => {
  function build(): void {
    write('dist/web/index.html', 'built');
    write('dist/web.stamp', webFingerprint(folder));
  }

  beforeEach(() => {
    write('web/index.html', '<script src="main.tsx">');
    write('domain/money.ts', 'export {}');
    build();
  });

  test('is current until a source in web/ or domain/ changes', () => {
    expect(webAppIsCurrent(folder)).toBe(true);
    write('domain/money.ts', 'export const one = 1');
    expect(webAppIsCurrent(folder)).toBe(false);
    build();
    write('web/pages/New.tsx', '');
    expect(webAppIsCurrent(folder)).toBe(false);
  });

  test('ignores tests and file times', () => {
    write('web/pages/New.test.tsx', '');
    fs.utimesSync(path.join(folder, 'web/index.html'), 0, 0);
    expect(webAppIsCurrent(folder)).toBe(true);
  });

  test('is not current when dist/ was emptied', () => {
    fs.rmSync(path.join(folder, 'dist/web'), { recursive: true });
    expect(webAppIsCurrent(folder)).toBe(false);
  });
});

describe('the lock', () => {
  test('admits one at a time', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside -= 1;
    };
    const file = path.join(folder, 'dist', 'prepare.lock');
    await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)]);
    expect(most).toBe(1);
    expect(fs.readdirSync(path.dirname(file))).toEqual([]);
  });

  test('is taken over from a process that has ended', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'close');
    write('prepare.lock', String(gone.pid));
    let worked = false;
    await withLock(path.join(folder, 'prepare.lock'), () => {
      worked = true;
      return Promise.resolve();
    });
    expect(worked).toBe(true);
  });
});

describe('npm start on a fresh clone', () => {
  // A fake npm: it writes down its arguments and does the minimum that `npm ci` must.
  const NPM = `
    const fs = require('node:fs');
    fs.appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n');
    if (fs.existsSync('offline')) { console.error('network is unreachable'); process.exit(7); }
    setTimeout(() => {
      fs.mkdirSync('node_modules/.bin', { recursive: true });
      const node = '#!/bin/sh\\necho "$@" >> node.log\\n';
      fs.writeFileSync('node_modules/.bin/node', node, { mode: 0o755 });
    }, 300);`;

  beforeEach(() => {
    fs.cpSync(path.join(import.meta.dirname, '..'), path.join(folder, 'scripts'), {
      recursive: true,
    });
    write('package.json', '{"type":"module","dependencies":{"a":"1.0.0"}}');
    write('package-lock.json', '{"packages":{}}');
    write('npm/cli.cjs', NPM);
  });

  async function prepared() {
    const child = spawn(process.execPath, ['scripts/prepare.mjs'], {
      cwd: folder,
      env: { ...process.env, npm_execpath: path.join(folder, 'npm', 'cli.cjs') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await ended;
    return { code: child.exitCode, stdout, stderr };
  }

  test('installs once, says so on standard error, and is silent the next time', async () => {
    const first = await prepared();
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain('Installing packages');
    expect(await prepared()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('npm.log')).toMatch(/^ci --include=dev .*\n$/);
    expect(read('node.log')).toBe('scripts/slim-packages.ts node_modules\n');
  });

  test('installs again when the lock file changed, but not for a new script', async () => {
    await prepared();
    write('package.json', '{"type":"module","scripts":{"x":"y"},"dependencies":{"a":"1.0.0"}}');
    await prepared();
    expect(read('npm.log').trim().split('\n')).toHaveLength(1);
    write('package-lock.json', '{"packages":{"":{}}}');
    await prepared();
    expect(read('npm.log').trim().split('\n')).toHaveLength(2);
  });

  test('installs once when two start together', async () => {
    const both = await Promise.all([prepared(), prepared()]);
    expect(both.map((run) => run.code)).toEqual([0, 0]);
    expect(read('npm.log').trim().split('\n')).toHaveLength(1);
  });

  test('fails with a hint when npm fails, and leaves no lock behind', async () => {
    write('offline', '');
    const { code, stderr } = await prepared();
    expect(code).toBe(1);
    expect(stderr).toContain('network is unreachable');
    expect(stderr).toContain('npm ci failed (exit code 7)');
    expect(fs.existsSync(path.join(folder, 'dist', 'prepare.lock'))).toBe(false);
  });
});
