import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { rootCause } from '../log/outside-error.ts';
import { limitTo } from './turns.ts';
import { UnusableDatabaseError } from './database-errors.ts';

/** Files that PostgreSQL needs. If the first is missing, PGlite makes a new database. */
const FILES = ['PG_VERSION', 'global/pg_control'];
const PARTS = [...FILES, 'base', 'pg_wal', 'pg_xact'];

/** The folder of the embedded database, ready to open. */
interface Folder {
  readonly path: string;
  /** Call it after PostgreSQL has opened the folder and before anybody writes. */
  finish(): Promise<void>;
}

/**
 * Checks that a folder that is not empty is complete, so that a new database never replaces an old one. While a new
 * one is made, a file beside it marks it as unfinished: an interrupted first start has no data and is made again.
 *
 * @throws UnusableDatabaseError
 * @throws NodeJS.ErrnoException when this user lacks the rights to read and write
 */
export async function prepareFolder(dataDir: string): Promise<Folder> {
  const path = join(dataDir, 'postgres');
  const unfinished = join(dataDir, 'postgres.unfinished');
  if (existsSync(unfinished)) await removeUnfinished(path, unfinished);
  if (isEmpty(path)) {
    await mkdir(path, { recursive: true });
    await writeFile(unfinished, await nameOf(path));
    await sync([unfinished, dataDir]);
    return {
      path,
      finish: async () => {
        await syncAll(path);
        await rm(unfinished);
        await sync([dataDir]);
      },
    };
  }
  const missing = PARTS.filter((part) => !existsSync(join(path, part)));
  if (missing.length > 0) {
    throw new UnusableDatabaseError(
      `The database in ${path} is not whole (${missing.join(', ')} missing). ${ADVICE}`,
    );
  }
  // PostgreSQL would report missing rights as damage.
  for (const file of FILES) closeSync(openSync(join(path, file), 'r+'));
  return { path, finish: async () => undefined };
}

/** Removes an unfinished first start, unless the folder has been replaced since. */
async function removeUnfinished(path: string, unfinished: string): Promise<void> {
  if (!isEmpty(path) && (await readFile(unfinished, 'utf8')) !== (await nameOf(path))) {
    throw new UnusableDatabaseError(
      `A first start was cut off, as ${unfinished} says, and ${path} is not the folder that it made. ` +
        `If that folder is whole, delete ${unfinished}. ${ADVICE}`,
    );
  }
  await rm(path, { recursive: true, force: true });
}

/** An identity that changes when another folder takes its place. */
async function nameOf(folder: string): Promise<string> {
  const { ino } = await stat(folder, { bigint: true });
  return `A first start is making the folder postgres (inode ${ino}).\n`;
}

/** The error when PostgreSQL cannot open the folder. */
export function damaged(path: string, cause: unknown): UnusableDatabaseError {
  const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
  return new UnusableDatabaseError(
    `The database in ${path} is damaged, or its disk is full (${reason}). ${ADVICE}`,
    { cause },
  );
}

/** SQLSTATE codes of damaged pages, indexes and files. */
const DAMAGE = new Set(['XX001', 'XX002', '58P01']);

/** Whether an error means damaged files. WebAssembly throws a RuntimeError when PostgreSQL aborts. */
export function isDamage(error: unknown): boolean {
  const cause: NodeJS.ErrnoException = rootCause(error);
  return DAMAGE.has(cause.code ?? '') || cause instanceof WebAssembly.RuntimeError;
}

const ADVICE =
  'Keep a copy of the folder; then put back what is missing, or move it away and restore the last backup: npm run db:restore -- FILE.';

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

/** PGlite does not sync while it makes a database, and PostgreSQL does not sync those files later. */
async function syncAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await sync([folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]);
}

/** All at once, which is much faster. Windows cannot open folders. */
async function sync(paths: readonly string[]): Promise<void> {
  const atOnce = limitTo(64);
  const syncing = paths.map(async (path) => atOnce(async () => syncOne(path)));
  try {
    await Promise.all(syncing);
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  }
}

async function syncOne(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
