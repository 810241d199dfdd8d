// The Debian programs that the tests start. This file must not import packages, because `scripts/system-packages.ts`
// reads it before they are installed.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The programs of OpenStack Swift, with the Debian package of each. */
export const SWIFT_PROGRAMS: Readonly<Record<string, string>> = {
  'swift-proxy-server': 'swift-proxy',
  'swift-account-server': 'swift-account',
  'swift-container-server': 'swift-container',
  'swift-object-server': 'swift-object',
  memcached: 'memcached',
};

export interface PostgresPrograms {
  initdb: string;
  pgCtl: string;
  baseBackup: string;
}

const OLDEST_MAJOR = 15;
/** Debian has one folder per major version here, none of them on the PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

/**
 * The newest PostgreSQL on this machine that is at least version 15.
 *
 * @returns undefined when there is none
 */
export function findPostgresPrograms(): PostgresPrograms | undefined {
  const found = candidateFolders()
    .map((folder) => ({ folder, major: majorVersion(folder) }))
    .filter(({ major }) => major >= OLDEST_MAJOR)
    .toSorted((a, b) => b.major - a.major)[0];
  if (!found) return undefined;
  return {
    initdb: path.join(found.folder, 'initdb'),
    pgCtl: path.join(found.folder, 'pg_ctl'),
    baseBackup: path.join(found.folder, 'pg_basebackup'),
  };
}

function candidateFolders(): string[] {
  const onPath = (process.env.PATH ?? '').split(path.delimiter);
  const debian = fs.existsSync(DEBIAN_FOLDER)
    ? fs.readdirSync(DEBIAN_FOLDER).map((version) => path.join(DEBIAN_FOLDER, version, 'bin'))
    : [];
  return [...onPath, ...debian].filter((folder) =>
    ['initdb', 'pg_ctl', 'pg_basebackup'].every((name) => fs.existsSync(path.join(folder, name))),
  );
}

function majorVersion(folder: string): number {
  const answer = spawnSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/\(PostgreSQL\) (\d+)/.exec(answer.stdout)?.[1] ?? 0);
}
