import { sql } from 'kysely';

import type { Ore } from '../../domain/money.ts';
import { compiledOnce } from '../db/compiled-once.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Row } from '../db/tables.ts';

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

/** An invoice as far as paying it is concerned. */
export type Payable = Row<'invoice', (typeof COLUMNS)[number]>;

const lockByUuid = compiledOnce((trx, companyId: number, uuid: string) =>
  trx
    .selectFrom('invoice')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .forNoKeyUpdate(),
);

const lockByIds = compiledOnce((trx, companyId: number, ids: readonly number[]) =>
  trx
    .selectFrom('invoice')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${ids}::bigint[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
);

const lockByUuids = compiledOnce((trx, companyId: number, uuids: readonly string[]) =>
  trx
    .selectFrom('invoice')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(sql<boolean>`uuid = ANY(${uuids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
);

const readStatuses = compiledOnce((db, companyId: number, ids: readonly number[]) =>
  db
    .selectFrom('invoice')
    .select(['id', 'status', 'paidDate'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`id = ANY(${ids}::bigint[])`)
    .orderBy('id'),
);

export async function lockPayable(
  trx: Trx,
  companyId: number,
  uuid: string,
): Promise<Payable | null> {
  const [row] = await lockByUuid(trx, companyId, uuid);
  return row ?? null;
}

/** By id, which is the order in which they are locked. */
export async function lockPayables(
  trx: Trx,
  companyId: number,
  ids: readonly number[],
): Promise<Payable[]> {
  return lockByIds(trx, companyId, ids);
}

/** In the order of ids. */
export async function lockPayablesByUuid(
  trx: Trx,
  companyId: number,
  uuids: readonly string[],
): Promise<Payable[]> {
  return lockByUuids(trx, companyId, uuids);
}

export async function findStatuses(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Row<'invoice', 'id' | 'status' | 'paidDate'>[]> {
  return readStatuses(db, companyId, ids);
}

/** An invoice of which something is due. */
export interface OpenInvoice {
  readonly id: number;
  readonly uuid: string;
  readonly invoiceNumber: number;
  readonly amountDue: Ore;
}

/** Those of these invoices of which something is due. */
export async function findOpen(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<OpenInvoice[]> {
  const { rows } = await sql<OpenInvoice>`
    SELECT id, uuid, invoice_number, gross_amount - paid_amount AS amount_due FROM invoice
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])
      AND kind = 'INVOICE' AND status = 'REGISTERED'`.execute(db);
  return rows;
}
