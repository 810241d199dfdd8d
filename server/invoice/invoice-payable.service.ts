import type { Db, Trx } from '../db/database.ts';
import type { Row } from '../db/tables.ts';
import * as repository from './invoice-payable.repository.ts';
import type { OpenInvoice, Payable } from './invoice-payable.repository.ts';

export type { OpenInvoice, Payable } from './invoice-payable.repository.ts';

/** What is to be paid, held until the transaction ends; null when it is not the company's. */
export async function lockPayable(
  trx: Trx,
  companyId: number,
  uuid: string,
): Promise<Payable | null> {
  return repository.lockPayable(trx, companyId, uuid);
}

/** As `lockPayable`, any number of them in one statement, by their ids. */
export async function lockPayables(
  trx: Trx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, Payable>> {
  const rows = ids.length === 0 ? [] : await repository.lockPayables(trx, companyId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** As `lockPayables`, by their uuids. */
export async function lockPayablesByUuid(
  trx: Trx,
  companyId: number,
  uuids: readonly string[],
): Promise<Map<string, Payable>> {
  const rows = await repository.lockPayablesByUuid(trx, companyId, uuids);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** The statuses that these invoices have now, and since when they are paid. */
export async function findStatuses(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Row<'invoice', 'id' | 'status' | 'paidDate'>[]> {
  return repository.findStatuses(db, companyId, ids);
}

/** Those of these invoices of which something is due, by their ids. */
export async function findOpen(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, OpenInvoice>> {
  const rows = ids.length === 0 ? [] : await repository.findOpen(db, companyId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
