import { join } from 'node:path';

import { ConfigError, type Config } from '../config.ts';
import { damaged, isDamage } from '../platform/db/embedded-folder.ts';
import { DatabaseInUseError } from '../platform/db/embedded.ts';
import {
  explainDatabaseFailure,
  UnusableDatabaseError,
  type DatabaseSetting,
} from '../platform/db/database-errors.ts';
import { rootCause } from '../platform/log/outside-error.ts';

/**
 * Tells the operator why the product cannot start and what to do; null for an internal error, which needs its stack.
 *
 * @param setting that the database URL comes from
 */
export function explainStartFailure(
  error: unknown,
  config: Config,
  setting: DatabaseSetting = 'DATABASE_URL',
): string | null {
  if (
    error instanceof ConfigError ||
    error instanceof DatabaseInUseError ||
    error instanceof UnusableDatabaseError
  ) {
    return error.message;
  }
  const cause: NetworkError = rootCause(error);
  if (cause.syscall === 'listen' || cause.hostname === config.host) {
    return explainListening(cause, config);
  }
  const url = setting === 'DATABASE_URL' ? config.databaseUrl : config.databaseDirectUrl;
  if (url === null) return explainFolder(cause, config);
  return explainDatabaseFailure(error, url, setting)?.message ?? null;
}

/** `hostname` is the host whose look-up failed. */
type NetworkError = NodeJS.ErrnoException & { readonly hostname?: string };

const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there. Stop it, or set PORT to another number.',
  EACCES: 'this user may not. Set PORT to 1024 or more.',
  EADDRNOTAVAIL: 'this machine has no such address. Mend HOST.',
  EAI_AGAIN: 'its name cannot be looked up. Mend HOST.',
  ENOTFOUND: 'there is no such name. Mend HOST.',
};

function explainListening({ code = '' }: NodeJS.ErrnoException, config: Config): string | null {
  const advice = LISTENING[code];
  return advice === undefined ? null : `Cannot listen on ${config.host}:${config.port}: ${advice}`;
}

const FOLDER: Readonly<Record<string, string>> = {
  EACCES: 'Give it to the user that runs Faktur.',
  EPERM: 'Give it to the user that runs Faktur.',
  EROFS: 'Its disk is read-only.',
  ENOSPC: 'Make room on its disk.',
  EDQUOT: 'Make room on its disk.',
};

function explainFolder(cause: NodeJS.ErrnoException, { dataDir }: Config): string | null {
  if (isDamage(cause)) return damaged(join(dataDir, 'postgres'), cause).message;
  const advice = FOLDER[cause.code ?? ''];
  if (advice === undefined) return null;
  return `The database in ${dataDir} cannot be opened (${cause.message}). ${advice}`;
}
