import { sql } from 'kysely';

import { HOME_COUNTRY } from '../../domain/country.ts';
import { CHECK_PAUSE } from '../../domain/einvoice/einvoice.schema.ts';
import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

type BusinessCustomer = Row<'customer', 'customerNumber'> & { readonly orgNumber: string };

/** The Norwegian businesses among the customers after this number, by number. */
export async function findBusinesses(
  db: Db,
  companyId: number,
  after: number,
  most: number,
): Promise<BusinessCustomer[]> {
  const rows = await businesses(db, companyId)
    .select(['customerNumber', 'orgNumber'])
    .where('customerNumber', '>', after)
    .orderBy('customerNumber')
    .limit(most)
    .execute();
  return rows as BusinessCustomer[];
}

/** How many there are, and how many of them have one of these organisation numbers. */
export async function countBusinesses(
  db: Db,
  companyId: number,
  orgNumbers: readonly string[],
): Promise<{ readonly all: number; readonly those: number }> {
  return businesses(db, companyId)
    .select((customer) => customer.fn.countAll<number>().as('all'))
    .select(
      sql<number>`count(*) FILTER (WHERE org_number = ANY(${[...orgNumbers]}::text[]))`.as('those'),
    )
    .executeTakeFirstOrThrow();
}

function businesses(db: Db, companyId: number) {
  return db
    .selectFrom('customer')
    .where('companyId', '=', companyId)
    .where('country', '=', HOME_COUNTRY)
    .where('orgNumber', 'is not', null);
}

export type CheckRow = Row<'ehfCheck'> & { readonly isForsaken: boolean };

/** The last check of a company's customers. */
export async function findCheck(db: Db, companyId: number): Promise<CheckRow | null> {
  const row = await db
    .selectFrom('ehfCheck')
    .selectAll()
    .select(IS_FORSAKEN.as('isForsaken'))
    .where('companyId', '=', companyId)
    .executeTakeFirst();
  return row ?? null;
}

/** A part takes two minutes at most. A job may be lost with a database that was restored. */
const FORSAKEN_AFTER = sql`interval '15 minutes'`;
const IS_FORSAKEN = sql<boolean>`worked_at < now() - ${FORSAKEN_AFTER}`;

/** Begins a check, unless one is under way or began within `CHECK_PAUSE`. */
export async function beginCheck(db: Db, companyId: number, total: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO ehf_check AS last (company_id, total) VALUES (${companyId}, ${total})
    ON CONFLICT (company_id) DO UPDATE SET total = excluded.total, asked = 0, reachable = 0, cannot = 0,
      unknown = 0, after_number = 0, started_at = now(), worked_at = now(), finished_at = NULL
    WHERE (last.finished_at IS NOT NULL OR last.worked_at < now() - ${FORSAKEN_AFTER})
      AND last.started_at <= now() - make_interval(secs => ${CHECK_PAUSE / 1000})
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** A part of a check: its last customer, and what the network said. */
export type CheckedPart = Pick<
  CheckRow,
  'asked' | 'reachable' | 'cannot' | 'unknown' | 'afterNumber'
>;

export async function saveCheck(
  db: Db,
  companyId: number,
  { asked, reachable, cannot, unknown, afterNumber }: CheckedPart,
): Promise<void> {
  await db
    .updateTable('ehfCheck')
    .set({ asked, reachable, cannot, unknown, afterNumber, workedAt: sql`now()` })
    .where('companyId', '=', companyId)
    .execute();
}

export async function finishCheck(db: Db, companyId: number): Promise<void> {
  await db
    .updateTable('ehfCheck')
    // Customers may have come and gone.
    .set({ total: sql`asked`, finishedAt: sql`now()`, workedAt: sql`now()` })
    .where('companyId', '=', companyId)
    .execute();
}
