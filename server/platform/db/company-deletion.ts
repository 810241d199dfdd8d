import { sql } from 'kysely';

import type { Trx } from './database.ts';

/** Rows that go with the company itself: a company keeps an owner while it is there, and a session has an account. */
const WITH_COMPANY = new Set(['member', 'session']);
/** Counts would else follow each deleted row. */
const FIRST = 'invoice_count';

/** How many rows of each table were deleted. */
export type Deleted = Readonly<Record<string, number>>;

/**
 * Deletes every row of a company in every table that has companies, rows that refer to others first. The database refuses
 * it for a company with books unless `closed_books` has what remains of them, written in the same transaction (CLO-9).
 */
export async function deleteCompanyRows(trx: Trx, companyId: number): Promise<Deleted> {
  const deleted: Record<string, number> = {};
  await takeLonger(trx);
  for (const table of await findTables(trx)) {
    const { numAffectedRows = 0n } =
      await sql`DELETE FROM ${sql.table(table)} WHERE company_id = ${companyId}`.execute(trx);
    if (numAffectedRows > 0n) deleted[table] = Number(numAffectedRows);
  }
  await sql`DELETE FROM company WHERE id = ${companyId}`.execute(trx);
  return deleted;
}

/** A part of a table that is deleted. */
export interface DeletedPart {
  readonly table: string;
  /** The rows of the table, in SQL; all of the company when absent. */
  readonly rows?: string;
}

/** Deletes parts of a company's tables, in this order. */
export async function deleteParts(
  trx: Trx,
  companyId: number,
  parts: readonly DeletedPart[],
): Promise<Deleted> {
  const deleted: Record<string, number> = {};
  await takeLonger(trx);
  for (const { table, rows = 'true' } of parts) {
    const condition = sql.raw(rows.replaceAll('$company', String(companyId)));
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM ${sql.table(table)} WHERE company_id = ${companyId} AND ${condition}`.execute(
      trx,
    );
    if (numAffectedRows > 0n) deleted[table] = Number(numAffectedRows);
  }
  return deleted;
}

/**
 * Lets statements take an hour. Each invoice that is deleted is looked for in a dozen tables, about half a millisecond, and a company
 * with a million is one transaction.
 */
async function takeLonger(trx: Trx): Promise<void> {
  await sql`SET LOCAL statement_timeout = 3600000`.execute(trx);
}

/** The tables of companies, each after those that refer to it. */
async function findTables(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ name: string; refersTo: string[] }>`
    SELECT class.relname::text AS name,
      ARRAY(SELECT DISTINCT target.relname::text FROM pg_constraint
        JOIN pg_class target ON target.oid = confrelid
        WHERE conrelid = class.oid AND contype = 'f' AND confrelid <> class.oid) AS refers_to
    FROM pg_class class
    WHERE class.relnamespace = 'public'::regnamespace AND class.relkind = 'r'
      AND EXISTS (SELECT FROM pg_attribute
        WHERE attrelid = class.oid AND attname = 'company_id' AND NOT attisdropped)
    ORDER BY class.relname`.execute(trx);
  let left = rows.filter(({ name }) => !WITH_COMPANY.has(name) && name !== FIRST);
  const ordered = [FIRST];
  while (left.length > 0) {
    const referred = new Set(left.flatMap(({ refersTo }) => refersTo));
    const free = left.filter(({ name }) => !referred.has(name)).map(({ name }) => name);
    if (free.length === 0) throw new Error('Tables of companies refer to each other in a circle');
    ordered.push(...free);
    left = left.filter(({ name }) => !free.includes(name));
  }
  return ordered;
}
