import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { quietEnvironment, unprivilegedIdentity } from '../server/testing/postgres-cluster.ts';
import { findPostgresPrograms } from '../server/testing/programs.ts';

/** Programs that run for a test, as an unprivileged user, with their files in one temporary folder. */
export interface Programs {
  readonly folder: string;
  /** Starts one; its output goes to `<name>.log` in the folder. */
  start(name: string, command: readonly [string, ...string[]], settings: Settings): ChildProcess;
  /** Ends all of them, and every PostgreSQL whose data is in the folder, and removes it. */
  close(): Promise<void>;
}

export type Settings = Readonly<Record<string, string>>;

// The guard outlives us, even a SIGKILL: it gets the process ids on its standard input.
const GUARD = `
  pg_ctl=$1 folder=$2 pids=
  while read -r pid; do pids="$pids $pid"; done
  [ -z "$pids" ] || kill -KILL $pids 2> /dev/null
  find "$folder" -name postmaster.pid | while read -r file; do
    "$pg_ctl" stop -s -m immediate -D "$(dirname "$file")"
  done
  rm -rf "$folder"
`;

/** Opens a folder for programs. They end with `close()` or with this process. */
export function openPrograms(): Programs {
  const found = findPostgresPrograms();
  if (!found) throw new Error('PostgreSQL 15 or later is missing: install postgresql.');
  const identity = unprivilegedIdentity();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-operations-'));
  if (identity.uid !== undefined) fs.chownSync(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: '/', detached: true } as const;
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', found.pgCtl, folder], {
    ...options,
    env: quietEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => guard.once('close', () => resolve()));
  return {
    folder,
    start: (name, [program, ...args], settings) => {
      const log = fs.openSync(path.join(folder, `${name}.log`), 'a');
      const env = { ...quietEnvironment(), ...settings };
      const child = spawn(program, args, { ...options, env, stdio: ['ignore', log, log] });
      fs.closeSync(log);
      child.on('error', () => undefined);
      if (child.pid !== undefined) guard.stdin.write(`${child.pid}\n`);
      return child;
    },
    close: async () => {
      guard.stdin.end();
      return ended;
    },
  };
}

/** Reads a file of settings as systemd does: a name and a value on each line, and comments. */
export function readSettings(file: string): Settings {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const settings = lines.filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    settings.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
