import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { freePort } from './process.ts';
import { unprivilegedIdentity } from './postgres-cluster.ts';
import { until } from './until.ts';

export type PoolMode = 'session' | 'transaction';

/** A PgBouncer on 127.0.0.1 in front of a PostgreSQL. */
export interface PgBouncer {
  readonly port: number;
  /** The same database through the pooler. */
  through(url: string): string;
  /** Ends it and cuts off its clients. */
  stop(): Promise<void>;
}

/** The file that docs/operations.md recommends. */
const SETTINGS = resolve(import.meta.dirname, '../../operations/pgbouncer/pgbouncer.ini');
const START_TIMEOUT = 30_000;
/** Like PostgreSQL, it ends when its standard input ends, also when this process is killed. */
const GUARD = `
  "$1" -q "$2/pgbouncer.ini" &
  cat > /dev/null
  kill $!
  wait
  rm -rf "$2"
`;

/** The place of the program in Debian, which is only on the PATH of root. */
export function findPgBouncer(): string | undefined {
  return ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
    (file) => spawnSync(file, ['--version']).status === 0,
  );
}

interface PgBouncerOptions {
  readonly mode: PoolMode;
  /** Values that replace the recommended ones. */
  readonly changes?: Readonly<Record<string, string | number>>;
  /** Whether connections have time limits; true when absent. */
  readonly hasLimits?: boolean;
}

/**
 * Starts PgBouncer on a free port in front of a PostgreSQL server, for all its databases.
 *
 * @throws {Error} when it is missing or does not start, with its own log in the message
 */
export async function startPgBouncer(
  serverUrl: string,
  { mode, changes = {}, hasLimits = true }: PgBouncerOptions,
): Promise<PgBouncer> {
  const program = findPgBouncer();
  if (program === undefined) throw new Error('PgBouncer is missing: install pgbouncer.');
  const folder = mkdtempSync(join(tmpdir(), 'faktur-pgbouncer-'));
  const port = await freePort();
  const server = new URL(serverUrl);
  const file = settingsFor(server, hasLimits, {
    listen_port: port,
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    logfile: join(folder, 'log'),
    unix_socket_dir: '',
    pool_mode: mode,
    ...changes,
  });
  writeFileSync(join(folder, 'pgbouncer.ini'), file);
  writeFileSync(join(folder, 'users'), `"${server.username}" "${server.password}"\n`);
  const stop = await run(program, folder, port);
  return {
    port,
    through: (url) => {
      const pooled = new URL(url);
      pooled.host = `127.0.0.1:${port}`;
      return pooled.href;
    },
    stop,
  };
}

/** Starts it in a folder with its files and waits until it answers. Returns a function that ends it. */
async function run(program: string, folder: string, port: number): Promise<() => Promise<void>> {
  const identity = unprivilegedIdentity();
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', program, folder], {
    ...identity,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => guard.once('close', () => resolve()));
  const stop = async () => {
    guard.stdin.end();
    await ended;
  };
  try {
    await until(
      async () => answers(port),
      (isThere) => isThere,
      START_TIMEOUT,
    );
    return stop;
  } catch {
    const log = readFileSync(join(folder, 'log'), 'utf8');
    await stop();
    throw new Error(`PgBouncer did not start: ${log}`);
  }
}

/** The recommended file, with each line of `changes` in place of the line with the same name. */
function settingsFor(
  server: URL,
  hasLimits: boolean,
  changes: Readonly<Record<string, string | number>>,
): string {
  const rest = { ...changes };
  const lines = readFileSync(SETTINGS, 'utf8')
    .replace(
      /^faktur = .* dbname=faktur/m,
      `* = host=${server.hostname} port=${server.port || 5432}`,
    )
    .replace(hasLimits ? /$^/ : / connect_query='.*'/, '')
    .split('\n')
    .map((line) => {
      const name = /^(\w+) =/.exec(line)?.[1] ?? '';
      if (!(name in rest)) return line;
      const value = rest[name];
      delete rest[name];
      return `${name} = ${value}`;
    });
  return [...lines, ...Object.entries(rest).map(([name, value]) => `${name} = ${value}`)].join(
    '\n',
  );
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
