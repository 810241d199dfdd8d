import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { freePort } from './process.ts';
import { findPostgresPrograms, type PostgresPrograms } from './programs.ts';

export interface PostgresCluster {
  /** A URL of the database `postgres` on 127.0.0.1, as a superuser. */
  url: string;
  port: number;
  /** The folder with `data` and the log. */
  folder: string;
  /** Kills all its processes at once, as a power cut would. */
  kill: () => void;
  /** Ends the server, cutting off its clients, and removes its files. Safe to call twice. */
  stop: () => Promise<void>;
}

export interface PostgresOptions {
  /** Whether a commit survives a power cut. Turn it off when only speed matters. */
  fsync?: boolean;
  maxConnections?: number;
  /** Starts as a standby of this server under this name, instead of empty. */
  standbyOf?: { port: number; name: string };
  /** More lines for postgresql.conf. */
  settings?: Record<string, string>;
  /** Environment variables for programs that the server starts, such as its archive_command. */
  environment?: Record<string, string>;
}

/** The user of a program. An empty object means the current user. */
export type Identity = { uid: number; gid: number } | Record<string, never>;

// This guard process stops the server when its standard input ends. Its input also ends when this process dies, even by
// SIGKILL, so nothing is left behind.
const GUARD = `
  pg_ctl=$1 folder=$2
  "$pg_ctl" start -s -w -t 60 -D "$folder/data" -l "$folder/log" || exit 1
  echo ready
  cat > /dev/null
  "$pg_ctl" stop -s -m immediate -D "$folder/data"
  rm -rf "$folder"
`;

/** A file system in memory, where the thousand files of a copied database cost a third of what a disk's do. */
const MEMORY = '/dev/shm';
/** Many times what the databases of a run take at once (bytes). */
const ROOM = 4e9;

/**
 * Starts a throwaway PostgreSQL (15 or later) with UTF-8 databases on a free port of 127.0.0.1,
 * its files in a temporary folder, without fsync in memory where there is room. It ends with `stop()`, or else with this process.
 *
 * @throws {Error} when PostgreSQL is missing or does not start, with its own log in the message
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresCluster> {
  const programs = findPostgresPrograms();
  if (!programs) throw new Error('PostgreSQL 15 or later is missing: install postgresql.');
  const identity = unprivilegedIdentity();
  const parent = options.fsync === false && hasRoomInMemory() ? MEMORY : os.tmpdir();
  const folder = fs.mkdtempSync(path.join(parent, 'faktur-postgres-'));
  if (identity.uid !== undefined) fs.chownSync(folder, identity.uid, identity.gid);
  try {
    const port = await freePort();
    await createCluster(programs, folder, options.standbyOf, identity);
    fs.appendFileSync(
      path.join(folder, 'data', 'postgresql.conf'),
      settings(folder, port, options),
    );
    const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', programs.pgCtl, folder], {
      ...identity,
      cwd: '/',
      env: { ...quietEnvironment(), ...options.environment },
      // Ctrl-C of the terminal must only reach this process.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise<void>((resolve) => guard.once('close', () => resolve()));
    await untilReady(guard, folder);
    return {
      url: `postgres://faktur@127.0.0.1:${port}/postgres`,
      port,
      folder,
      kill: () => killServer(folder),
      stop: () => {
        guard.stdin.end();
        return ended;
      },
    };
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function hasRoomInMemory(): boolean {
  if (!fs.existsSync(MEMORY)) return false;
  const { bavail, bsize } = fs.statfsSync(MEMORY);
  return Math.min(bavail * bsize, os.freemem()) > ROOM;
}

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres` or `nobody`. */
export function unprivilegedIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const uid = Number(idOf(name, '-u'));
    const gid = Number(idOf(name, '-g'));
    if (uid && gid) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.');
}

function idOf(name: string, option: '-u' | '-g'): string {
  return spawnSync('id', [option, name], { encoding: 'utf8' }).stdout.trim();
}

async function createCluster(
  { initdb, baseBackup }: PostgresPrograms,
  folder: string,
  standbyOf: PostgresOptions['standbyOf'],
  identity: Identity,
): Promise<void> {
  const data = path.join(folder, 'data');
  const args = standbyOf
    ? ['--pgdata', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
    : ['--pgdata', data, '--username=faktur', '--auth=trust', '--no-sync', '--encoding=UTF8'];
  if (standbyOf) {
    const source = `host=127.0.0.1 port=${standbyOf.port} user=faktur`;
    args.push('--dbname', `${source} application_name=${standbyOf.name}`);
  } else {
    args.push('--locale=C.UTF-8', '--no-instructions');
  }
  const program = standbyOf ? baseBackup : initdb;
  const env = quietEnvironment();
  // Asynchronous, because the copied server may be behind a proxy in this process.
  const child = spawn(program, args, {
    ...identity,
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${path.basename(program)} failed: ${output}`);
}

function killServer(folder: string): void {
  const [postmaster = ''] = fs
    .readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8')
    .split('\n');
  // Find the children first; after its death they no longer have it as their parent.
  const children = spawnSync('pgrep', ['-P', postmaster], { encoding: 'utf8' }).stdout;
  spawnSync('kill', ['-KILL', postmaster, ...children.split('\n').filter(Boolean)]);
}

/** Lines for postgresql.conf; a later line overrides an earlier one. */
function settings(
  folder: string,
  port: number,
  { fsync = true, maxConnections = 200, settings: more }: PostgresOptions,
): string {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: maxConnections,
    shared_buffers: '64MB',
    // Recommended for servers with solid-state disks; see docs/operations.md.
    random_page_cost: 1.1,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(fsync
      ? {}
      : {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          max_wal_size: '256MB',
        }),
    ...more,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join('');
}

/** Removes the caller's PG* variables, which are for another server. */
export function quietEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(own), LC_ALL: 'C.UTF-8' };
}

function untilReady(guard: ChildProcessByStdio<Writable, Readable, null>, folder: string) {
  return new Promise<void>((resolve, reject) => {
    const fail = (): void => {
      const log = path.join(folder, 'log');
      const reason = fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : 'it left no log';
      reject(new Error(`PostgreSQL did not start: ${reason}`));
    };
    guard.stdout.once('data', () => resolve());
    guard.once('error', reject);
    guard.once('close', fail);
  });
}
