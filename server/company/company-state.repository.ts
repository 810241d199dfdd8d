import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import { requestContext } from '../platform/log/log.ts';

/**
 * Closes a company, or opens it again. Callers that were looked up before are judged again, but not the one that does it.
 * The caller holds the company.
 */
export async function setClosed(trx: Trx, companyId: number, isClosing: boolean): Promise<void> {
  const { accessChanges } = await trx
    .updateTable('company')
    .set((row) => ({
      closedAt: isClosing ? sql<Date>`now()` : null,
      accessChanges: row('accessChanges', '+', 1),
    }))
    .where('id', '=', companyId)
    .returning('accessChanges')
    .executeTakeFirstOrThrow();
  const access = requestContext.getStore()?.call?.access;
  if (access?.companyId === companyId) access.changes = accessChanges;
}

/**
 * Locks a company until the transaction ends, whether it is open or closed.
 * @returns false when it is not there, or when another has locked it
 */
export async function holdCompany(trx: Trx, companyId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('company')
    .select('id')
    .where('id', '=', companyId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

/** Those of these companies that are open. */
export async function findOpen(db: Db, companyIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('company')
    .select('company.id')
    .where(sql<boolean>`company.id = ANY(${[...companyIds]}::bigint[])`)
    .where('closedAt', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of these companies that are younger than this many days. */
export async function findNewCompanies(
  db: Db,
  companyIds: readonly number[],
  days: number,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('company')
    .select('company.id')
    .where(sql<boolean>`company.id = ANY(${[...companyIds]}::bigint[])`)
    .where(sql<boolean>`company.created_at > now() - make_interval(days => ${days})`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Whether a company was closed, or is not there any more. */
export async function isClosed(db: Db, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('company')
    .select('closedAt')
    .where('id', '=', companyId)
    .executeTakeFirst();
  return row?.closedAt !== null;
}
