import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
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

function orNotFound(file: FileRow | null): FileRow {
  if (!file) throw new AppError('not_found');
  return file;
}
