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

function orNotFound(file: FileRow | null): FileRow {
  if (!file) throw new AppError('not_found');
  return file;
}
