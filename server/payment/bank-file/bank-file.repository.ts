import { sql } from 'kysely';

import { AppError } from '../../errors.ts';
import type { Db, Trx } from '../../platform/db/database.ts';
import type { OutcomeSum } from '../../platform/db/columns.ts';
import type { Row } from '../../platform/db/tables.ts';

export type FileRow = Row<'bankFile'>;

const VISIBLE = sql<boolean>`state <> 'INCOMPLETE'`;

export type NewFile = Pick<
  FileRow,
  'name' | 'format' | 'accounts' | 'fromDate' | 'toDate' | 'count'
> & {
  /** Hex. */
  readonly sha256: string;
  readonly ignored: number;
};

/** Adds a file that stays hidden until it is complete. */
export async function insertFile(
  db: Db,
  companyId: number,
  { sha256, ...file }: NewFile,
): Promise<number> {
  const { id } = await db
    .insertInto('bankFile')
    .values({ ...file, companyId, sha256: Buffer.from(sha256, 'hex'), state: 'INCOMPLETE' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function selectVisible(db: Db, companyId: number) {
  return db.selectFrom('bankFile').selectAll().where('companyId', '=', companyId).where(VISIBLE);
}

/** A file of the company. @throws AppError not_found */
export async function requireFile(db: Db, companyId: number, uuid: string): Promise<FileRow> {
  const row = await selectVisible(db, companyId).where('uuid', '=', uuid).executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return row;
}

/** As `requireFile`, locked until the transaction ends. @throws AppError not_found */
export async function lockFile(trx: Trx, companyId: number, uuid: string): Promise<FileRow> {
  const row = await selectVisible(trx, companyId)
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return row;
}

/** The earlier file with the same bytes (SHA-256, hex), if any. */
export async function findByContent(
  db: Db,
  companyId: number,
  sha256: string,
): Promise<FileRow | null> {
  const row = await selectVisible(db, companyId)
    .where('sha256', '=', Buffer.from(sha256, 'hex'))
    .executeTakeFirst();
  return row ?? null;
}

/** Files, the latest first, before one of them. */
export async function findFiles(
  db: Db,
  companyId: number,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<FileRow[]> {
  return selectVisible(db, companyId)
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Enough to include the newest file even when many old ones are uploaded after it. */
const LATEST = 100;

/** The booked files, the last read first: when each was read, and the last day that it covers. */
export async function findBookedFiles(
  db: Db,
  companyId: number,
): Promise<Pick<FileRow, 'createdAt' | 'toDate'>[]> {
  return db
    .selectFrom('bankFile')
    .select(['createdAt', 'toDate'])
    .where('companyId', '=', companyId)
    .where('state', '=', 'BOOKED')
    .orderBy('id', 'desc')
    .limit(LATEST)
    .execute();
}

export type Changes = Partial<
  Pick<FileRow, 'state' | 'doneThrough' | 'bookedCount' | 'undoneByType' | 'undoneByName'> & {
    readonly outcomes: OutcomeSum[];
    readonly bookedAt: Date | null;
  }
>;

export async function updateFile(
  db: Db,
  companyId: number,
  id: number,
  { outcomes, ...changes }: Changes,
): Promise<void> {
  await db
    .updateTable('bankFile')
    .set({ ...changes, ...(outcomes && { outcomes: JSON.stringify(outcomes) }) })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a file whose entries are deleted. */
export async function deleteFile(db: Db, companyId: number, id: number): Promise<void> {
  await db
    .deleteFrom('bankFile')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('state', '=', 'INCOMPLETE')
    .execute();
}

/** A file whose rest a job must do. */
export type HalfDone = Pick<FileRow, 'companyId' | 'uuid'>;

/** Must equal the predicate of the partial index. */
const isHalfDone = sql<boolean>`state IN ('BOOKING', 'UNDOING')`;

/** Files of any company that are half booked or half undone. */
export async function findHalfDone(db: Db): Promise<HalfDone[]> {
  return db.selectFrom('bankFile').select(['companyId', 'uuid']).where(isHalfDone).execute();
}

/**
 * Whether a file of the company is half booked or half undone, so that the paid amounts are not known. While the
 * caller holds the company (`lockCompany`), no booking begins.
 */
export async function isHalfBooked(db: Db, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('bankFile')
    .select('id')
    .where('companyId', '=', companyId)
    .where(isHalfDone)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Files of any company whose reading or removal was interrupted, older than some minutes. */
export async function findCutOff(
  db: Db,
  minutes: number,
): Promise<Pick<FileRow, 'companyId' | 'id'>[]> {
  return db
    .selectFrom('bankFile')
    .select(['companyId', 'id'])
    .where('state', '=', 'INCOMPLETE')
    .where('createdAt', '<', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .orderBy('createdAt')
    .limit(20)
    .execute();
}

/** Previews of any company that are older than some days, or that exceed the number kept per company (BANK-8). */
export async function findOldPreviews(
  db: Db,
  { days, kept }: { readonly days: number; readonly kept: number },
): Promise<Pick<FileRow, 'companyId' | 'id'>[]> {
  const { rows } = await sql<Pick<FileRow, 'companyId' | 'id'>>`
    SELECT company_id, id FROM (
      SELECT company_id, id, created_at < now() - make_interval(days => ${days}) AS is_old,
        row_number() OVER (PARTITION BY company_id ORDER BY id DESC) > ${kept} AS is_beyond
      FROM bank_file WHERE state = 'PREVIEW'
    ) preview WHERE is_old OR is_beyond`.execute(db);
  return rows;
}

/** Hides a preview; false when it is not a preview any more. */
export async function hidePreview(db: Db, companyId: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bankFile')
    .set({ state: 'INCOMPLETE' })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('state', '=', 'PREVIEW')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
