import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
let project: string;

beforeAll(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-migration-'));
  for (const name of ['package.json', '.oxfmtrc.json', 'domain', 'server', 'scripts']) {
    fs.cpSync(path.join(root, name), path.join(project, name), { recursive: true });
  }
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
});
afterAll(() => fs.rmSync(project, { recursive: true, force: true }));

function node(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
}

/** The names that the product knows, and what comes of bringing an empty database up to date. */
function migrateEmpty(): { names: string[]; error: string } {
  const { stdout, stderr } = node(
    '--eval',
    `const { KNOWN_MIGRATIONS, migrate } = await import('./server/db/migrate.ts');
     const { wrapEmbedded } = await import('./server/db/database.ts');
     const { openMemoryDatabase } = await import('./server/db/embedded.ts');
     const database = wrapEmbedded(await openMemoryDatabase());
     const error = await migrate(database).then(() => '', (error) => error.message);
     console.log(JSON.stringify({ names: KNOWN_MIGRATIONS, error }));
     process.exit();`,
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as ReturnType<typeof migrateEmpty>;
}

test('the next two get their numbers and are known, and do not run before they are written', () => {
  const before = migrateEmpty();
  expect(before.error).toBe('');
  const next = Number(before.names.at(-1)?.slice(0, 4)) + 1;
  for (const [index, name] of ['due-dates', 'reminder2'].entries()) {
    const stem = `${String(next + index).padStart(4, '0')}-${name}`;
    const { status, stdout } = node('scripts/migration.ts', name);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(`db/migrations/${stem}.ts is there`),
    ]);
    before.names.push(stem);
  }
  expect(migrateEmpty()).toEqual({
    names: before.names,
    error: expect.stringContaining('syntax error'),
  });
  const format = node('node_modules/oxfmt/bin/oxfmt', '--check', 'server/db');
  expect([format.status, format.stderr]).toEqual([0, '']);
});

test.each([[], ['Due dates'], ['-x'], ['../x'], ['due', 'dates'], ['versions'], ['customers']])(
  'nothing is made of %j',
  (...words) => {
    const files = fs.readdirSync(path.join(project, 'server/db/migrations'));
    const { status, stderr } = node('scripts/migration.ts', ...words);
    expect([status, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
    expect(fs.readdirSync(path.join(project, 'server/db/migrations'))).toEqual(files);
  },
);
