import { sql } from 'kysely';

import type { Ore } from '../../domain/money.ts';
import { compiledOnce } from '../platform/db/compiled-once.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { AppError } from '../errors.ts';

const COLUMNS = [
  'id',
  'uuid',
  'kind',
  'status',
  'customerId',
  'issueDate',
  'grossAmount',
  'paidAmount',
  'reminderAmount',
] as const;

/** The columns of an invoice that paying it needs. */
export type Payable = Row<'invoice', (typeof COLUMNS)[number]>;

const lockByUuid = compiledOnce((trx, companyId: number, uuid: string) =>
  trx
    .selectFrom('invoice')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .forNoKeyUpdate(),
);

/** Ordered by id, the lock order of invoices. */
const lockByIds = compiledOnce((trx, companyId: number, ids: readonly number[]) =>
  trx
    .selectFrom('invoice')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${ids}::bigint[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
);

/** Ordered by id, the lock order of invoices. */
const lockByUuids = compiledOnce((trx, companyId: number, uuids: readonly string[]) =>
  trx
    .selectFrom('invoice')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`uuid = ANY(${uuids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
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
    SELECT id, uuid, invoice_number, gross_amount - paid_amount AS amount_due FROM invoice
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])
      AND kind = 'INVOICE' AND status = 'REGISTERED' AND gross_amount > 0`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
