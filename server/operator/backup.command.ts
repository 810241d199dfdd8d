import { once } from 'node:events';
import { constants, createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip, createGzip, type Gzip } from 'node:zlib';

import { sql } from 'kysely';
import { pino } from 'pino';

import type { Config } from '../config.ts';
import { RestoreError, writeBackup, type SavedJob } from '../platform/db/backup.ts';
import type { Database, Db, Trx } from '../platform/db/database.ts';
import { restoreBackup } from '../platform/db/restore.ts';
import { UnusableDatabaseError } from '../platform/db/database-errors.ts';
import { handlerOf } from '../platform/jobs/job.ts';
import { KEPT_JOBS } from '../platform/jobs/jobs.ts';
import { createJobQueue, type JobQueue } from '../platform/jobs/queue.ts';
import { errorCode } from '../platform/log/outside-error.ts';
import { openErrorReports } from '../platform/log/error-reports.ts';
import {
  OperatorError,
  FLAG,
  readArguments,
  readLines,
  refuseWords,
  UsageError,
  type Command,
  type Output,
} from './command.ts';
import { reportLedger } from './ledger.command.ts';

/** Characters that are compressed at a time. */
const BLOCK = 256 * 1024;

/** Writes the whole database to one file. */
export const backupCommand: Command = {
  usage: `npm run db:backup -- FILE    write everything that the database holds into a new file,
                             while Faktur runs or not`,
  anyVersion: true,

  async run({ db }, args, output) {
    const { words } = readArguments(args, {});
    refuseWords(words.slice(1));
    const gzip = createGzip();
    const sent = send(gzip, output);
    // Awaited below; until then a failure shows as an error of the stream.
    sent.catch((error: Error) => gzip.destroy(error));
    const lines = joinLines(gzip);
    try {
      const rows = await writeBackup(db, lines.write);
      await lines.end();
      await sent;
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
      output.line(`${total} rows, ${rows['invoice'] ?? 0} of them invoices`);
    } catch (error) {
      gzip.destroy(error as Error);
      // On a full disk, this error says more than the stream's end.
      await sent;
      throw error;
    }
    return 0;
  },
};

async function send(gzip: Gzip, output: Output): Promise<void> {
  for await (const chunk of gzip) await output.bytes(chunk as Buffer);
}

function joinLines(gzip: Gzip) {
  let block = '';
  const flush = async () => {
    if (gzip.errored) throw gzip.errored;
    const hasRoom = gzip.write(block);
    block = '';
    if (!hasRoom) await once(gzip, 'drain');
  };
  return {
    write: async (line: string) => {
      block += `${line}\n`;
      if (block.length >= BLOCK) await flush();
    },
    end: async () => {
      await flush();
      gzip.end();
    },
  };
}

/** No jobs run in this queue, so there is nothing to wait for (milliseconds). */
const STOP_TIMEOUT = 1000;
/** Number of checks whether others use the database, and the pause between them (milliseconds). */
const LOOKS = 10;
const PAUSE = 200;

export const RESTORE_USAGE = `npm run db:restore -- FILE             fill an empty database from a backup
npm run db:restore -- FILE --force     replace everything in the database

Faktur must not be running. The books are checked as by npm run ledger; when they are not in
order, nothing is changed. With --faulty they are restored all the same.`;

const RUNNING = 'Faktur is running on this database. Stop every process of it first.';
const POOLED =
  'When they are stopped, a pooler still keeps their connections: stop it too (PgBouncer: RECONNECT).';
const FAULTY =
  'The books in the backup are not in order. Nothing was changed; take another backup, or restore it as it is with --faulty.';

interface RestoreRequest {
  readonly file: string;
  /** Whether it may replace existing data. */
  readonly force: boolean;
  /** Whether to restore even if the ledger check fails. */
  readonly faulty: boolean;
}

/**
 * Parses the arguments and opens the file before a database is opened, since opening creates a missing database.
 * @throws OperatorError, also for a file that cannot be read
 */
export async function readRestore(args: readonly string[]): Promise<RestoreRequest> {
  const { words, options } = readArguments(args, { force: FLAG, faulty: FLAG });
  const [file, ...rest] = words;
  if (file === undefined || rest.length > 0) throw new UsageError('Which file?');
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw explainReading(file, error);
  });
  const { force = false, faulty = false } = options;
  return { file, force, faulty };
}

/**
 * Replaces the content of a database that nobody else uses by a backup, and checks the ledger. Returns the exit code.
 * @throws OperatorError
 */
export async function restore(
  config: Config,
  database: Database,
  { file, force, faulty }: RestoreRequest,
  output: Output,
): Promise<number> {
  await requireAlone(config, database.db);
  const jobs = createJobQueue({
    database,
    log: pino({ level: 'silent' }),
    reports: await openErrorReports(config),
    stopTimeout: STOP_TIMEOUT,
  });
  await jobs.start(
    KEPT_JOBS.map((job) => handlerOf(job, async () => undefined)),
    { work: false, features: config.features },
  );
  try {
    let exit = 0;
    const rows = await load(database.db, jobs, file, {
      force,
      check: async (trx) => {
        exit = await reportLedger({ db: trx }, null, output);
        if (exit !== 0 && !faulty) throw new RestoreError(FAULTY);
      },
    });
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    output.line(`${total} rows restored, ${rows['invoice'] ?? 0} of them invoices`);
    return exit;
  } catch (error) {
    if (error instanceof RestoreError || error instanceof UnusableDatabaseError) {
      throw new OperatorError(error.message, { cause: error });
    }
    throw error;
  } finally {
    await jobs.stop();
  }
}

async function load(
  db: Db,
  jobs: JobQueue,
  file: string,
  options: { force: boolean; check: (trx: Trx) => Promise<void> },
) {
  try {
    return await pipeline(createReadStream(file), createGunzip(), async (chunks) =>
      restoreBackup(db, readLines(chunks as AsyncIterable<Buffer>), {
        ...options,
        deleteJobs: async (trx) => jobs.deleteAll(trx),
        requeue: async (trx, saved) => requeueJob(jobs, trx, saved),
      }),
    );
  } catch (error) {
    throw explainReading(file, error);
  }
}

/** Explains a file error to the operator; returns other errors unchanged. */
function explainReading(file: string, error: unknown): unknown {
  if (!isUnreadable(error)) return error;
  const message = `${file} cannot be read as a backup: ${error.message}`;
  return new OperatorError(message, { cause: error });
}

function isUnreadable(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /^(Z_|ENOENT|EACCES|EISDIR|ENOTDIR|ERR_ENCODING)/.test(errorCode(error))
  );
}

async function requeueJob(jobs: JobQueue, trx: Trx, saved: SavedJob): Promise<void> {
  const job = KEPT_JOBS.find(({ name }) => name === saved.name);
  if (!job) return;
  if (saved.key === null) await jobs.enqueue(trx, job, saved.payload);
  else await jobs.enqueueAll(trx, job, [{ payload: saved.payload, key: saved.key }]);
}

/** Checks that no Faktur uses a database on a server. The embedded one is locked anyway. */
async function requireAlone({ databaseUrl, databaseDirectUrl }: Config, db: Db): Promise<void> {
  // The connections of a process that has just ended remain for a moment.
  for (let look = 1; await hasOthers(db); look++) {
    if (look === LOOKS) {
      throw new OperatorError(databaseUrl === databaseDirectUrl ? RUNNING : `${RUNNING} ${POOLED}`);
    }
    await sleep(PAUSE);
  }
}

async function hasOthers(db: Db): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'faktur%'
      AND pid <> pg_backend_pid()`.execute(db);
  return rows[0]?.count !== 0;
}
