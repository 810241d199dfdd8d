import { type RawBuilder, sql } from 'kysely';

import type { Ore } from '../../domain/money.ts';
import { AppError } from '../errors.ts';
import { compiledOnce } from '../platform/db/frequent-statements.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

const COLUMNS = [
  'id',
  'uuid',
  'kind',
  'status',
  'customerId',
  'issueDate',
  'grossAmount',
  'paidAmount',
  'creditedAmount',
  'reminderAmount',
] as const;

/** The columns of an invoice that paying it needs. */
export type Payable = Row<'invoice', (typeof COLUMNS)[number]>;

/** Locks invoices in the order of their ids, the lock order everywhere. */
function lockingPayables(trx: Db, companyId: number) {
  return trx
    .selectFrom('invoice')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .orderBy('id')
    .forNoKeyUpdate();
}

const lockByUuid = compiledOnce((trx, companyId: number, uuid: string) =>
  lockingPayables(trx, companyId).where('uuid', '=', uuid),
);

const lockByIds = compiledOnce((trx, companyId: number, ids: readonly number[]) =>
  lockingPayables(trx, companyId).where(sql<boolean>`id = ANY(${ids}::bigint[])`),
);

const lockByUuids = compiledOnce((trx, companyId: number, uuids: readonly string[]) =>
  lockingPayables(trx, companyId).where(sql<boolean>`uuid = ANY(${uuids}::uuid[])`),
);

/** The current statuses of these invoices, and when they were paid. */
export const findStatuses = compiledOnce((db, companyId: number, ids: readonly number[]) =>
  db
    .selectFrom('invoice')
    .select(['id', 'status', 'paidDate'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${ids}::bigint[])`)
    .orderBy('id'),
);

/** An invoice to pay, locked until the transaction ends. @throws AppError not_found */
export async function lockPayable(trx: Trx, companyId: number, uuid: string): Promise<Payable> {
  const [row] = await lockByUuid(trx, companyId, uuid);
  if (!row) throw new AppError('not_found');
  return row;
}

/** An invoice with an amount due. */
export interface OpenInvoice {
  readonly id: number;
  readonly uuid: string;
  readonly invoiceNumber: number;
  readonly amountDue: Ore;
}

/** Like `lockPayable` for many invoices in one statement, by id. */
export async function lockPayables(
  trx: Trx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, Payable>> {
  const rows: Payable[] = ids.length === 0 ? [] : await lockByIds(trx, companyId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Like `lockPayables`, by uuid. */
export async function lockPayablesByUuid(
  trx: Trx,
  companyId: number,
  uuids: readonly string[],
): Promise<Map<string, Payable>> {
  const rows: Payable[] = await lockByUuids(trx, companyId, uuids);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** The given invoices that have an amount due, by id. */
export async function findOpen(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, OpenInvoice>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<OpenInvoice>`
    SELECT id, uuid, invoice_number, gross_amount - credited_amount - paid_amount AS amount_due FROM invoice
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])
      AND kind = 'INVOICE' AND status = 'REGISTERED' AND gross_amount > credited_amount`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The sum that reminders ask of a customer, without what was paid, waived or credited (øre). */
export async function sumUnpaidReminders(
  db: Db,
  companyId: number,
  customerId: number,
): Promise<Ore> {
  const { amount } = await db
    .selectFrom('invoice')
    .select(sql<Ore>`COALESCE(sum(reminder_amount), 0)::bigint`.as('amount'))
    .where('companyId', '=', companyId)
    .where('customerId', '=', customerId)
    .executeTakeFirstOrThrow();
  return amount;
}

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
  ELSE invoice.gross_amount - invoice.credited_amount - invoice.paid_amount END AS amount_due`;
const MATCHED = sql`invoice.id, invoice.invoice_number, invoice.customer_id, invoice.kid,
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
        SELECT ${MATCHED} FROM invoice
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
    sql`SELECT ${MATCHED} FROM invoice
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
        SELECT ${MATCHED} FROM invoice
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
      AND gross_amount > credited_amount + paid_amount
    GROUP BY bank_account_number ORDER BY bank_account_number`.execute(db);
  return rows;
}

async function read(db: Db, query: RawBuilder<unknown>): Promise<MatchedInvoice[]> {
  const { rows } = await sql<MatchedInvoice>`${query}`.execute(db);
  return rows;
}
