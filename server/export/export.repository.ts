import { sql } from 'kysely';

import type { ExportKind, ExportState } from '../../domain/export/export.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { AppError } from '../errors.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import type { BookSums, ExportScope, Point } from './books.ts';

export type ExportRow = Row<'export'>;

/** Which export: its company and its row. */
export type ExportName = Pick<ExportRow, 'companyId' | 'id'>;

/** How long the file of an export, and its link, work (EXP-9). */
const DAYS = 7;
/** Most exports in the list. */
const LISTED = 200;
/** Most earlier exports that a dry run names. */
const NAMED = 20;
/** Kinds that book nothing. */
const NOT_BOOKED: readonly ExportKind[] = ['DOCUMENTS', 'ARCHIVE'];

const expiry = sql<Date>`now() + make_interval(days => ${DAYS})`;

/** How long others wait for a process that makes a file and notes no progress (seconds). */
const LEASE = 30;
const leased = sql<Date>`now() + make_interval(secs => ${LEASE})`;

interface NewExport {
  readonly kind: ExportKind;
  readonly scope: ExportScope;
  /** The end of the last export that this one continues; its ranges say it whole. */
  readonly after?: Point | null;
  readonly sums: BookSums;
  readonly byJob: boolean;
  readonly sentTo: string | null;
  readonly by: HistoryAuthor;
}

/** Adds an export: DONE, or WAITING for its job. */
export async function insertExport(
  trx: Trx,
  { kind, scope, after, sums, byJob, sentTo, by }: NewExport,
): Promise<ExportRow> {
  const { companyId, from, to, filter } = scope;
  return trx
    .insertInto('export')
    .values({
      companyId,
      kind,
      state: byJob ? 'WAITING' : 'DONE',
      fromDate: from,
      toDate: to,
      afterNumber: after?.number ?? null,
      afterPaymentId: after?.paymentId ?? null,
      afterDate: after?.date ?? null,
      filter: filter && sql`${JSON.stringify(filter)}::jsonb`,
      throughNumber: scope.lastNumber,
      throughPaymentId: scope.lastPaymentId,
      invoices: sums.invoices,
      creditNotes: sums.creditNotes,
      firstNumber: sums.firstNumber,
      lastNumber: sums.lastNumber,
      netAmount: sums.net,
      vatAmount: sums.vat,
      grossAmount: sums.gross,
      byJob,
      sentTo,
      byType: by.type,
      byName: by.name,
      expiresAt: byJob ? null : expiry,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The company's exports, the latest first. */
export async function listExports(db: Db, companyId: number): Promise<ExportRow[]> {
  return db
    .selectFrom('export')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute();
}

/** @throws AppError not_found */
export async function requireExport(db: Db, companyId: number, uuid: string): Promise<ExportRow> {
  const row = await db
    .selectFrom('export')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return row;
}

/** Whether an export that books payments has this one, or will have it. */
export async function isExported(db: Db, companyId: number, paymentId: number): Promise<boolean> {
  const found = await db
    .selectFrom('export')
    .select('id')
    .where('companyId', '=', companyId)
    .where('state', '<>', 'FAILED')
    .where('kind', 'not in', NOT_BOOKED)
    .where('throughPaymentId', '>=', paymentId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Earlier exports with numbers of this range, the latest first. */
export async function findExported(
  db: Db,
  companyId: number,
  { firstNumber, lastNumber }: Pick<BookSums, 'firstNumber' | 'lastNumber'>,
): Promise<ExportRow[]> {
  if (firstNumber === null || lastNumber === null) return [];
  return db
    .selectFrom('export')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('state', '=', 'DONE')
    .where('kind', 'not in', NOT_BOOKED)
    .where('firstNumber', '<=', lastNumber)
    .where('lastNumber', '>=', firstNumber)
    .orderBy('id', 'desc')
    .limit(NAMED)
    .execute();
}

/** Begins a new making by the job; null when there is nothing to make. */
export async function beginByJob(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<ExportRow | null> {
  const row = await db
    .updateTable('export')
    .set((row) => ({
      state: 'WORKING',
      attempt: row('attempt', '+', 1),
      failures: row('failures', '+', 1),
      progress: 0,
    }))
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .where('state', 'in', ['WAITING', 'WORKING'])
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Leases an export to who fetches the file first and makes it; null when it is leased, made, deleted or expired. */
export async function beginByFetch(
  db: Db,
  { companyId, id }: ExportName,
): Promise<ExportRow | null> {
  const row = await db
    .updateTable('export')
    .set((row) => ({ attempt: row('attempt', '+', 1), leasedUntil: leased }))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('state', '=', 'DONE')
    .where('sha256', 'is', null)
    .where('deletedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where(sql<boolean>`(leased_until IS NULL OR leased_until < now())`)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Ends the lease of a making that failed, so that another may begin. */
export async function endLease(db: Db, { companyId, id, attempt }: Making): Promise<void> {
  await db
    .updateTable('export')
    .set({ leasedUntil: null })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .execute();
}

/** A making of an export's file. */
export type Making = Pick<ExportRow, 'companyId' | 'id' | 'uuid' | 'attempt'>;

/** Notes how far a making is. Returns whether it still goes on: nobody deleted it, and no other one has begun. */
export async function noteProgress(
  db: Db,
  { companyId, id, attempt }: Making,
  progress: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('export')
    .set({ progress, leasedUntil: leased })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('sha256', 'is', null)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A making that ends because its process does, or something outside, is no failure. */
export async function forgiveStop(db: Db, { companyId, id, attempt }: Making): Promise<void> {
  await db
    .updateTable('export')
    .set((row) => ({ failures: row('failures', '-', 1) }))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('failures', '>', 0)
    .execute();
}

/** Names the whole file of a making. Returns false when another making was first, or the export was deleted. */
export async function finish(
  db: Db,
  { companyId, id, attempt }: Making,
  { sha256, size }: { readonly sha256: Uint8Array; readonly size: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('export')
    .set((row) => ({
      state: 'DONE',
      progress: 1,
      sha256,
      size,
      expiresAt: row.fn.coalesce('expiresAt', expiry),
    }))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', 'in', ['WORKING', 'DONE'])
    .where('sha256', 'is', null)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes that somebody has the file. Returns whether it may be handed out: it has not ended meanwhile. */
export async function noteFetched(db: Db, { companyId, id }: ExportName): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('export')
    .set((row) => ({ fetchedAt: row.fn.coalesce('fetchedAt', sql<Date>`now()`) }))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('state', '=', 'DONE')
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`(fetched_at IS NOT NULL OR expires_at > now())`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives an export up. Returns whether this call did. */
export async function giveUp(trx: Trx, { companyId, id }: ExportName): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('export')
    .set({ state: 'FAILED' })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('state', 'in', ['WAITING', 'WORKING'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends an export's file and link; one that is being made is given up. */
export async function markDeleted(db: Db, { companyId, id }: ExportName): Promise<void> {
  await db
    .updateTable('export')
    .set({
      deletedAt: sql<Date>`now()`,
      state: sql<ExportState>`CASE state WHEN 'DONE' THEN state ELSE 'FAILED' END`,
    })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .execute();
}

/** Notes that a mail left, or was refused. */
export async function noteMailed(
  db: Db,
  { companyId, id }: ExportName,
  column: 'toldAt' | 'linkSentAt' | 'linkRefusedAt',
): Promise<void> {
  await db
    .updateTable('export')
    .set({ [column]: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Exports of all companies that have a job. */
export async function findUnfinished(db: Db): Promise<Pick<ExportRow, 'companyId' | 'uuid'>[]> {
  return db
    .selectFrom('export')
    .select(['companyId', 'uuid'])
    .where('state', 'in', ['WAITING', 'WORKING'])
    .execute();
}

/** The whole archives of a company that can be had, the newest first. */
export async function findArchives(
  db: Db,
  companyId: number,
): Promise<
  Row<
    'export',
    'createdAt' | 'fetchedAt' | 'sha256' | 'throughNumber' | 'throughPaymentId' | 'uuid'
  >[]
> {
  return db
    .selectFrom('export')
    .select(['createdAt', 'fetchedAt', 'sha256', 'throughNumber', 'throughPaymentId', 'uuid'])
    .where('companyId', '=', companyId)
    .where('kind', '=', 'ARCHIVE')
    .where('state', '=', 'DONE')
    .orderBy('id', 'desc')
    .execute();
}

/** Whether an export of the company is being made. */
export async function isExporting(db: Db, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('export')
    .select('id')
    .where('companyId', '=', companyId)
    .where('state', 'in', ['WAITING', 'WORKING'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
