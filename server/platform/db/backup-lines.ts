import { z } from 'zod';

import { rootCause } from '../log/outside-error.ts';

/** Begins every line that is not a row; rows begin with a brace. */
export const BACKUP_MARK = '#';
export const BACKUP_FORMAT = 'faktur-backup-1';

/** The backup or the database is unfit for restoring. The message is for the operator. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

const header = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** The migrations applied to the tables, oldest first. */
  migrations: z.array(z.string()),
});
const table = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
const sequence = z.object({
  table: z.string(),
  column: z.string(),
  /** PostgreSQL's bigint as text. */
  lastValue: z.string(),
  isCalled: z.boolean(),
});
const end = z.object({
  rows: z.record(z.string(), z.number()),
  sequences: z.array(sequence),
});
const job = z.object({
  name: z.string(),
  payload: z.record(z.string(), z.unknown()),
  key: z.string().nullable(),
});

/** The first line of a backup, after the mark. */
export type BackupHeader = z.output<typeof header>;
/** The line before a table's rows. Every row is one line of JSON. */
export type BackupTable = z.output<typeof table>;
/** The current position of a table's id sequence. */
export type Sequence = z.output<typeof sequence>;
/** The last line. Without it the file is incomplete. */
export type BackupEnd = z.output<typeof end>;
/** A job that was not done when the backup was made. */
export type SavedJob = z.output<typeof job>;

/** Parses the migrations in the first line. @throws RestoreError */
export function readHeader(line: string): readonly string[] {
  const { data } = header.safeParse(tryParse(line.slice(BACKUP_MARK.length)));
  if (!data) throw new RestoreError('This is not a backup of Faktur.');
  return data.migrations;
}

/** Parses a line that begins a table's rows or ends the backup. @throws RestoreError */
export function readMark(line: string) {
  return read(z.union([end, table]), line.slice(BACKUP_MARK.length));
}

export function readJob(line: string): SavedJob {
  return read(job, line);
}

function read<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(tryParse(text));
  if (!parsed.success) throw damagedBackup(`a line begins with ${text.slice(0, 40)}`);
  return parsed.data;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function damagedBackup(what: string, cause?: unknown): RestoreError {
  return new RestoreError(
    `The backup is damaged (${what}). Nothing was changed; take another backup.`,
    { cause },
  );
}

/** SQLSTATE classes for values, constraints and names that PostgreSQL refuses (appendix A). */
const REFUSED = /^(22|23|42)/;

/** Runs the work. If PostgreSQL refuses a row, the backup is damaged. @throws RestoreError */
export async function asBackupDamage(place: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const cause: NodeJS.ErrnoException = rootCause(error);
    if (error instanceof RestoreError || !REFUSED.test(cause.code ?? '')) throw error;
    throw damagedBackup(`${place}: ${cause.message.split('\n', 1)[0]}`, error);
  }
}
