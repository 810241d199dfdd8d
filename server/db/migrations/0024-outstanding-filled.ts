import { sql, type Kysely } from 'kysely';

import { createIndex, type Migration } from '../migration.ts';

/** What was owed before anybody counted it, company by company, and the index that lists it. */
export const outstandingFilled: Migration = { up, online: true, runsBeside: '0005-staff' };

const OWED = sql`kind = 'INVOICE' AND status = 'REGISTERED'`;

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, {
    name: 'invoice_owed',
    on: sql`invoice (company_id, due_date DESC, invoice_number DESC) INCLUDE (id) WHERE ${OWED}`,
  });
  const { rows } = await sql<{ companyId: string }>`
    SELECT company_id::text AS "companyId" FROM invoice_count ORDER BY company_id`.execute(db);
  for (const { companyId } of rows) {
    if (db.isTransaction) await fill(db, companyId);
    else await db.transaction().execute(async (trx) => fill(trx, companyId));
  }
}

/**
 * Counts anew. Whoever changes what is owed changes the company's counts in the same statement: what was
 * changed before the row is held is seen, and what comes later is added to it.
 */
async function fill(db: Kysely<unknown>, companyId: string): Promise<void> {
  await sql`SELECT FROM invoice_count WHERE company_id = ${companyId}::bigint FOR UPDATE`.execute(
    db,
  );
  await sql`DELETE FROM invoice_due WHERE company_id = ${companyId}::bigint`.execute(db);
  await sql`
    INSERT INTO invoice_due (company_id, due_date, outstanding, outstanding_amount)
    SELECT company_id, due_date, count(*), sum(gross_amount - paid_amount) FROM invoice
    WHERE company_id = ${companyId}::bigint AND ${OWED}
    GROUP BY company_id, due_date`.execute(db);
  await sql`
    UPDATE invoice_count SET (outstanding, outstanding_amount) = (
      SELECT COALESCE(sum(due.outstanding), 0), COALESCE(sum(due.outstanding_amount), 0)
      FROM invoice_due due WHERE due.company_id = ${companyId}::bigint)
    WHERE company_id = ${companyId}::bigint`.execute(db);
}
