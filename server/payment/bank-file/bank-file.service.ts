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
 * As `lockFile`, with the company held first, as everybody does who changes what is unplaced; then nobody else
 * books, either.
 */
export async function holdFile(trx: Trx, companyId: number, uuid: string): Promise<FileRow> {
  await lockCompany(trx, companyId);
  return lockFile(trx, companyId, uuid);
}

/** Has a job do the rest of files; one that has such a job needs no other. */
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

/** A file that is booked, as far as its age is concerned. */
export interface BookedFile {
  /** The day in Oslo on which it was read. */
  readonly readOn: IsoDate;
  /** The last day that it tells of. */
  readonly through: IsoDate | null;
}

/** So many that among them is the newest, also while old ones are read afterwards. */
const LATEST = 100;

/** The files that are booked, those that were read last first. */
export async function findBookedFiles(db: Db, companyId: number): Promise<BookedFile[]> {
  const files = await repository.findBooked(db, companyId, LATEST);
  return files.map(({ createdAt, toDate }) => ({
    readOn: todayInOslo(createdAt),
    through: toDate,
  }));
}

/**
 * Whether a file of the company is half booked or half undone: then it is not known what has been paid. Who
 * holds the company (`lockCompany`) keeps one from beginning.
 */
export async function isHalfBooked(db: Db, companyId: number): Promise<boolean> {
  return repository.hasHalfDone(db, companyId);
}

function orNotFound(file: FileRow | null): FileRow {
  if (!file) throw new AppError('not_found');
  return file;
}
