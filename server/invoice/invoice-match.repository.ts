import { sql, type RawBuilder } from 'kysely';

import type { Ore } from '../../domain/money.ts';
import type { Db } from '../platform/db/database.ts';

/** The columns of an issued invoice that matching a payment needs. */
export interface MatchedInvoice {
  readonly id: number;
  readonly invoiceNumber: number;
  readonly customerId: number | null;
  readonly kid: string;
  /** The bank account on the invoice. */
  readonly account: string;
  /** 0 for a paid or credited invoice. Read again when the invoice is locked. */
  amountDue: Ore;
  /** The reminder fees and interest, which `amountDue` excludes. */
  reminderAmount: Ore;
}

/** How many open invoices of each customer are compared, the oldest first. */
const OPEN_OF_CUSTOMER = 12;

/** How many KIDs of one company may differ only in leading zeros or in the account. */
const ALIKE_MAX = 20;

/** The same as `amountDue` of the domain, for an issued invoice. */
const AMOUNT_DUE = sql`CASE WHEN invoice.status = 'CANCELLED' THEN 0
  ELSE invoice.gross_amount - invoice.paid_amount END AS amount_due`;
const COLUMNS = sql`invoice.id, invoice.invoice_number, invoice.customer_id, invoice.kid,
  invoice.bank_account_number AS account, invoice.reminder_amount, ${AMOUNT_DUE}`;

/** Invoices with these KIDs, compared without leading zeros. */
export async function findByBareKids(
  db: Db,
  companyId: number,
  bareKids: readonly string[],
): Promise<MatchedInvoice[]> {
  return read(
    db,
    // One lookup per KID in the index: given the whole list, a planner with poor statistics reads the whole table and
    // compares each row with each KID.
    sql`SELECT alike.* FROM unnest(${[...bareKids]}::text[]) AS given (bare_kid)
      CROSS JOIN LATERAL (
        SELECT ${COLUMNS} FROM invoice
        WHERE company_id = ${companyId} AND kind = 'INVOICE' AND kid IS NOT NULL
          AND ltrim(kid, '0') = given.bare_kid
        LIMIT ${sql.lit(ALIKE_MAX)}
      ) alike`,
  );
}

/** Issued invoices with these numbers. */
export async function findByNumbers(
  db: Db,
  companyId: number,
  numbers: readonly number[],
): Promise<MatchedInvoice[]> {
  return read(
    db,
    sql`SELECT ${COLUMNS} FROM invoice
      WHERE company_id = ${companyId} AND kind = 'INVOICE'
        AND invoice_number = ANY(${[...numbers]}::bigint[])`,
  );
}

/** The oldest open invoices of each given customer. */
export async function findOpenOfCustomers(
  db: Db,
  companyId: number,
  customerIds: readonly number[],
): Promise<MatchedInvoice[]> {
  return read(
    db,
    sql`SELECT open.* FROM unnest(${[...customerIds]}::bigint[]) AS given (buyer_id)
      CROSS JOIN LATERAL (
        SELECT ${COLUMNS} FROM invoice
        WHERE company_id = ${companyId} AND customer_id = given.buyer_id
          AND status = 'REGISTERED' AND kind = 'INVOICE'
        ORDER BY id LIMIT ${sql.lit(OPEN_OF_CUSTOMER)}
      ) open`,
  );
}

/** An invoice as shown beside a payment. */
export interface NamedInvoice {
  readonly id: number;
  readonly uuid: string;
  readonly invoiceNumber: number;
  readonly amountDue: Ore;
}

/** Issued invoices by their ids. */
export async function findNamed(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<NamedInvoice[]> {
  const { rows } = await sql<NamedInvoice>`
    SELECT id, uuid, invoice_number, ${AMOUNT_DUE} FROM invoice
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])
      AND invoice_number IS NOT NULL`.execute(db);
  return rows;
}

/** The given accounts that an issued invoice names. */
export async function findNamedAccounts(
  db: Db,
  companyId: number,
  accounts: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ account: string }>`
    SELECT account FROM unnest(${[...accounts]}::text[]) AS given (account)
    WHERE (
      SELECT count(*) FROM (
        SELECT FROM invoice
        WHERE company_id = ${companyId} AND bank_account_number = given.account
          AND kid IS NOT NULL LIMIT 1
      ) named) > 0`.execute(db);
  return rows.map(({ account }) => account);
}

/** The accounts named on open invoices, with the number of those invoices. */
export async function countOpenByAccount(
  db: Db,
  companyId: number,
): Promise<{ readonly account: string; readonly openInvoices: number }[]> {
  const { rows } = await sql<{ account: string; openInvoices: number }>`
    SELECT bank_account_number AS account, count(*) AS open_invoices FROM invoice
    WHERE company_id = ${companyId} AND kind = 'INVOICE' AND status = 'REGISTERED'
      AND gross_amount > paid_amount
    GROUP BY bank_account_number ORDER BY bank_account_number`.execute(db);
  return rows;
}

async function read(db: Db, query: RawBuilder<unknown>): Promise<MatchedInvoice[]> {
  const { rows } = await sql<MatchedInvoice>`${query}`.execute(db);
  return rows;
}
