import type { Db, Trx } from '../platform/db/database.ts';
import * as repository from './invoice-payable.repository.ts';
import type { OpenInvoice, Payable } from './invoice-payable.repository.ts';

export {
  findStatuses,
  lockPayable,
  type OpenInvoice,
  type Payable,
} from './invoice-payable.repository.ts';

/** Like `lockPayable` for many invoices in one statement, by id. */
export async function lockPayables(
  trx: Trx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, Payable>> {
  const rows = ids.length === 0 ? [] : await repository.lockByIds(trx, companyId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Like `lockPayables`, by uuid. */
export async function lockPayablesByUuid(
  trx: Trx,
  companyId: number,
  uuids: readonly string[],
): Promise<Map<string, Payable>> {
  const rows = await repository.lockByUuids(trx, companyId, uuids);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** The given invoices that have an amount due, by id. */
export async function findOpen(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, OpenInvoice>> {
  const rows = ids.length === 0 ? [] : await repository.findOpen(db, companyId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
