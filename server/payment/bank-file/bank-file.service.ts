import { todayInOslo, type IsoDate } from '../../../domain/date.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../platform/db/database.ts';
import { AppError } from '../../errors.ts';
import { bankFileJob } from '../../platform/jobs/jobs.ts';
import { lockCompany } from '../../company/profile.service.ts';
import * as repository from './bank-file.repository.ts';
import type { FileRow } from './bank-file.repository.ts';

/** A file of the company. @throws AppError not_found */
export async function requireFile(db: Db, companyId: number, uuid: string): Promise<FileRow> {
  return orNotFound(await repository.findFile(db, companyId, uuid));
}

/** As `requireFile`, held until the transaction ends. @throws AppError not_found */
export async function lockFile(trx: Trx, companyId: number, uuid: string): Promise<FileRow> {
  return orNotFound(await repository.lockFile(trx, companyId, uuid));
}

/**
 * As `lockFile`, with the company locked first. Everyone who changes unplaced money locks the company, so nobody
 * else books meanwhile.
 */
export async function holdFile(trx: Trx, companyId: number, uuid: string): Promise<FileRow> {
  await lockCompany(trx, companyId);
  return lockFile(trx, companyId, uuid);
}

/** Queues a job for the rest of each file; a file that has such a job gets no second one. */
export async function leaveRest(
  jobs: Context['jobs'],
  db: Db,
  files: readonly repository.HalfDone[],
): Promise<void> {
  const items = files.map(({ companyId, uuid }) => ({
    payload: { companyId, fileUuid: uuid },
    key: uuid,
  }));
  if (items.length > 0) await jobs.enqueueAll(db, bankFileJob, items);
}

/** Queues the missing jobs of half booked and half undone files, after a restore or an upgrade. */
export async function resumeFiles({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  await leaveRest(jobs, db, await repository.findHalfDone(db));
}

/** The dates that say how current a booked file is. */
export interface BookedFile {
  /** The day in Oslo on which it was read. */
  readonly readOn: IsoDate;
  /** The last day that the file covers. */
  readonly through: IsoDate | null;
}

/** Enough to include the newest file even when many old ones are uploaded after it. */
const LATEST = 100;

/** The booked files, the last read first. */
export async function findBookedFiles(db: Db, companyId: number): Promise<BookedFile[]> {
  const files = await repository.findBooked(db, companyId, LATEST);
  return files.map(({ createdAt, toDate }) => ({
    readOn: todayInOslo(createdAt),
    through: toDate,
  }));
}

/**
 * Whether a file of the company is half booked or half undone, so that the paid amounts are not known. While the
 * caller holds the company (`lockCompany`), no booking begins.
 */
export async function isHalfBooked(db: Db, companyId: number): Promise<boolean> {
  return repository.hasHalfDone(db, companyId);
}

function orNotFound(file: FileRow | null): FileRow {
  if (!file) throw new AppError('not_found');
  return file;
}
