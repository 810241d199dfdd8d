import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

export type ClosingRow = Row<'companyClosing'>;

/** The closing of a company; null while it is open. */
export async function findClosing(db: Db, companyId: number): Promise<ClosingRow | null> {
  const row = await db
    .selectFrom('companyClosing')
    .selectAll()
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertClosing(
  trx: Trx,
  closing: Pick<
    ClosingRow,
    'archiveSha256' | 'closedBy' | 'companyId' | 'deletesOn' | 'keep' | 'keptUntil'
  >,
): Promise<void> {
  await trx.insertInto('companyClosing').values(closing).execute();
}

/** Takes a closing back; false when there is none, or when something was deleted. */
export async function deleteClosing(trx: Trx, companyId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('companyClosing')
    .where('companyId', '=', companyId)
    .where('strippedAt', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Companies of which something is due on this day, the earliest first. */
export async function findDue(db: Db, today: IsoDate): Promise<ClosingRow[]> {
  return db
    .selectFrom('companyClosing')
    .selectAll()
    .where((row) =>
      row.or([
        row('booksEndOn', '<=', today),
        row.and([row('deletesOn', '<=', today), row('strippedAt', 'is', null)]),
      ]),
    )
    .orderBy('deletesOn')
    .orderBy('companyId')
    .execute();
}

/** Companies whose owners are to be told that the books end (CLO-8): so many days before, once. */
export async function findUntold(db: Db, today: IsoDate, days: number): Promise<number[]> {
  const rows = await db
    .selectFrom('companyClosing')
    .select('companyId')
    .where('toldAt', 'is', null)
    .where('keptUntil', 'is not', null)
    .where(sql<boolean>`books_end_on > deletes_on AND books_end_on > ${today}::date`)
    .where(sql<boolean>`books_end_on - ${days}::integer <= ${today}::date`)
    .orderBy('companyId')
    .execute();
  return rows.map(({ companyId }) => companyId);
}

/** Notes that the owners get the mail; false when it was noted before. */
export async function noteTold(trx: Trx, companyId: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('companyClosing')
    .set({ toldAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where('toldAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes that all but the books was deleted. */
export async function noteStripped(trx: Trx, companyId: number): Promise<void> {
  await trx
    .updateTable('companyClosing')
    .set({ strippedAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .execute();
}

/** Keeps the books of a closed company for longer; false when they are kept as long already, or not at all. */
export async function keepLonger(db: Db, companyId: number, keptUntil: IsoDate): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('companyClosing')
    .set({ keptUntil, toldAt: null })
    .where('companyId', '=', companyId)
    .where('keptUntil', '<', keptUntil)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A closed company, for the operator. */
export interface ListedClosing extends Pick<
  ClosingRow,
  'booksEndOn' | 'deletesOn' | 'keep' | 'keptUntil' | 'strippedAt'
> {
  readonly uuid: string;
  readonly name: string | null;
  readonly closedAt: Date;
}

/** All closed companies, the earliest to go first. */
export async function listClosings(db: Db): Promise<ListedClosing[]> {
  const { rows } = await sql<ListedClosing>`
    SELECT company.uuid, company.company_name AS name, company.closed_at, closing.keep, closing.deletes_on,
      closing.kept_until, closing.books_end_on, closing.stripped_at
    FROM company_closing closing JOIN company ON company.id = closing.company_id
    ORDER BY closing.books_end_on, company.id`.execute(db);
  return rows;
}

/** Keeps what remains of a company, so that its rows may be deleted in this transaction. */
export async function insertClosedBooks(
  trx: Trx,
  remains: Omit<Row<'closedBooks'>, 'deletedAt' | 'deletedIn' | 'id'>,
): Promise<void> {
  await trx.insertInto('closedBooks').values(remains).execute();
}

/** Companies whose books were deleted. */
export async function listClosedBooks(db: Db): Promise<Row<'closedBooks'>[]> {
  return db.selectFrom('closedBooks').selectAll().orderBy('id').execute();
}

/** Notes the keys of a company's files in the object store, whose rows are about to be deleted. */
export async function noteObjects(trx: Trx, companyId: number): Promise<void> {
  await sql`
    INSERT INTO deleted_object (deleted_id, key)
    SELECT ${companyId}::bigint, ${String(companyId)} || '/' || path FROM (
      SELECT encode(sha256, 'hex') FROM document_file WHERE company_id = ${companyId} AND home = 'S3'
      UNION
      SELECT encode(sha256, 'hex') FROM attachment WHERE company_id = ${companyId} AND home = 'S3'
      UNION
      SELECT encode(sha256, 'hex') FROM quote_document WHERE company_id = ${companyId} AND home = 'S3'
      UNION
      SELECT encode(sha256, 'hex') FROM quote_attachment WHERE company_id = ${companyId} AND home = 'S3'
      UNION
      SELECT 'exports/' || export.uuid || '/' || part.attempt || '/' || part."position"
      FROM export_part part JOIN export ON export.company_id = part.company_id AND export.id = part.export_id
      WHERE part.company_id = ${companyId} AND export.company_id = ${companyId} AND part.home = 'S3'
    ) file (path)`.execute(trx);
}

/** Notes the keys of quotes that were never accepted, but for those of files that others have too. */
export async function noteObjectsOfQuotes(trx: Trx, companyId: number): Promise<void> {
  await sql`
    WITH file AS (
      SELECT sha256, quote_id FROM quote_document WHERE company_id = ${companyId} AND home = 'S3'
      UNION ALL
      SELECT sha256, quote_id FROM quote_attachment WHERE company_id = ${companyId} AND home = 'S3'
      UNION ALL
      SELECT sha256, NULL FROM document_file WHERE company_id = ${companyId} AND home = 'S3'
      UNION ALL
      SELECT sha256, NULL FROM attachment WHERE company_id = ${companyId} AND home = 'S3')
    INSERT INTO deleted_object (deleted_id, key)
    SELECT ${companyId}::bigint, ${String(companyId)} || '/' || encode(sha256, 'hex')
    FROM file LEFT JOIN quote
      ON quote.company_id = ${companyId} AND quote.id = file.quote_id AND quote.state <> 'ACCEPTED'
    GROUP BY sha256 HAVING bool_and(quote.id IS NOT NULL)
    ON CONFLICT DO NOTHING`.execute(trx);
}

/** Whether the books of a company with this id were deleted. */
export async function isDeleted(db: Db, deletedId: number): Promise<boolean> {
  const row = await db
    .selectFrom('closedBooks')
    .select('id')
    .where('deletedId', '=', deletedId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Some of the keys of a deleted company that are still in the object store. */
export async function listObjects(db: Db, deletedId: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deletedObject')
    .select('key')
    .where('deletedId', '=', deletedId)
    .orderBy('key')
    .limit(most)
    .execute();
  return rows.map(({ key }) => key);
}

/** Forgets keys that were removed. */
export async function forgetObjects(
  db: Db,
  deletedId: number,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await db
    .deleteFrom('deletedObject')
    .where('deletedId', '=', deletedId)
    .where('key', 'in', keys)
    .execute();
}
