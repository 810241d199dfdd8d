import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import { NODE_SETTINGS, runScript } from '../../testing/process.ts';
import { wrapEmbedded } from './database.ts';
import { openEmbeddedDatabase } from './embedded.ts';

// Real processes and databases are slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const isEmbedded = process.env['TEST_DATABASE'] !== 'postgres';

/** A program that makes the database of a folder, as a first start does. */
const MAKING = `
  import(${JSON.stringify(new URL('embedded.ts', import.meta.url).href)}).then(
    ({ openEmbeddedDatabase }) => openEmbeddedDatabase(process.argv[1]));`;
/** A user id that owns no files. */
const NOBODY = 65_534;

let root: string;
let folder: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'faktur-embedded-'));
});
afterAll(async () => rm(root, { recursive: true, force: true }));
beforeEach(() => {
  folder = join(root, crypto.randomUUID());
});

async function open() {
  return wrapEmbedded(await openEmbeddedDatabase(folder));
}

describe.runIf(isEmbedded)('a folder', () => {
  let whole: string;
  /** The file of a table that is read at start. */
  let table: string;

  beforeAll(async () => {
    folder = join(root, 'whole');
    whole = folder;
    cpSync(inject('embeddedTemplates').dataDir, whole, { recursive: true });
    const database = await open();
    await sql`INSERT INTO suppressed_address VALUES ('kept@example.no', 'BOUNCE')`.execute(
      database.db,
    );
    const { rows } = await sql<{ path: string }>`
      SELECT pg_relation_filepath('migration') AS path`.execute(database.db);
    table = rows[0]?.path ?? '';
    await database.close();
    expect(readdirSync(folder).toSorted()).toEqual(['lock.sqlite', 'postgres']);
  });

  test.each([
    ['PG_VERSION', /is not whole \(PG_VERSION missing\)/],
    ['global/pg_control', /is not whole \(global\/pg_control missing\)/],
  ])('without %s is refused in one line, and stays as it is', async (part, line) => {
    cpSync(whole, folder, { recursive: true });
    rmSync(join(folder, 'postgres', part), { recursive: true });
    const before = filesIn(join(folder, 'postgres'));
    // A start opens the database as a command does.
    await expectRefusal(line, part === 'PG_VERSION');
    expect(filesIn(join(folder, 'postgres'))).toEqual(before);
  });

  test('without a part that PostgreSQL misses is refused, and its data are there with the part', async () => {
    cpSync(whole, folder, { recursive: true });
    const part = join('postgres', 'pg_notify');
    rmSync(join(folder, part), { recursive: true });
    await expectRefusal(/is damaged, or its disk is full/);
    cpSync(join(whole, part), join(folder, part), { recursive: true });
    const database = await open();
    const { rows } = await sql`SELECT email FROM suppressed_address`.execute(database.db);
    expect(rows).toEqual([{ email: 'kept@example.no' }]);
    await database.close();
  });

  test.each([
    ['an empty pg_control', () => truncateSync(join(folder, 'postgres/global/pg_control'))],
    ['another version', () => writeFileSync(join(folder, 'postgres/PG_VERSION'), '12\n')],
    ['a page of noise', () => writeFileSync(join(folder, 'postgres', table), randomBytes(8192))],
    ['no log', () => rmLog(join(folder, 'postgres/pg_wal'))],
  ])('with %s is refused in one line', async (_, damage) => {
    cpSync(whole, folder, { recursive: true });
    damage();
    await expectRefusal(/is damaged, or its disk is full/);
  });

  test('of another user is refused with that reason, and its lock is never bypassed', async () => {
    cpSync(whole, folder, { recursive: true });
    for (const way of [root, folder]) chmodSync(way, 0o777);
    const lock = join(folder, 'lock.sqlite');
    // As a command run by root leaves it.
    chmodSync(lock, 0o444);
    await expect(asAnyUser(open)).rejects.toThrow(
      /lock\.sqlite, the lock .* Give it to the user that/,
    );
    writeFileSync(lock, 'no database at all, but long enough to be looked at as one'.repeat(20));
    await expect(open()).rejects.toThrow(/\(file is not a database\)\. Give it to/);
    rmSync(lock);
    chmodSync(join(folder, 'postgres/PG_VERSION'), 0o444);
    await expect(asAnyUser(open)).rejects.toMatchObject({ code: 'EACCES', syscall: 'open' });
    chmodSync(join(folder, 'postgres/PG_VERSION'), 0o600);
    rmSync(lock);
    await (await open()).close();
  });

  test('whose creation was interrupted is made again by the next start', async () => {
    const mark = join(folder, 'postgres.unfinished');
    const child = spawn(process.execPath, ['--eval', MAKING, folder], {
      env: NODE_SETTINGS,
      stdio: 'ignore',
    });
    const isMarked = () => existsSync(mark) && readFileSync(mark, 'utf8').endsWith('\n');
    await vi.waitUntil(isMarked, { interval: 5, timeout: 240_000 });
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    expect(readdirSync(folder)).toContain('postgres.unfinished');
    // As when it is killed some seconds later, with a part of the files there.
    cpSync(join(whole, 'postgres/base'), join(folder, 'postgres/base'), { recursive: true });
    // A folder put in its place is not a leftover of that start.
    const [own, other] = [join(folder, 'postgres'), join(folder, 'other')];
    renameSync(own, other);
    cpSync(other, own, { recursive: true });
    await expectRefusal(/A first start was cut off.* is not the folder that it made/);
    rmSync(own, { recursive: true });
    renameSync(other, own);
    await (await open()).close();
    expect(readdirSync(folder)).not.toContain('postgres.unfinished');
  });
});

/** @param byStart whether a start of the product is tried too, which takes three times what a command takes */
async function expectRefusal(line: RegExp, byStart = false): Promise<void> {
  const settings = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' };
  const start = byStart ? [['server/main.ts']] : [];
  for (const words of [['scripts/operator.ts', 'staff', 'list'], ...start]) {
    const [script = '', ...args] = words;
    const { code, output } = await runScript(script, settings, ...args);
    expect(output).toMatch(line);
    expect(output).toContain('restore the last backup: npm run db:restore -- FILE.');
    expect(output.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  }
}

/** Starts something without root's rights, if the tests have them. */
async function asAnyUser<T>(begin: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await begin();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

/** All files below a folder, with what changes when they are written. */
function filesIn(place: string): string[] {
  return readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { size, mtimeMs } = statSync(join(place, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}

function rmLog(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith('0')) rmSync(join(folder, name));
  }
}
