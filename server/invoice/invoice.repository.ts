import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import { compiledOnce } from '../platform/db/compiled-once.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { AppError } from '../errors.ts';
import type { InvoiceRow } from './invoice.rows.ts';
import { selectInvoices } from './invoice.selection.ts';

/** An invoice or credit note. @throws AppError not_found */
export async function requireInvoice(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<InvoiceRow> {
  const [row] =
    typeof name === 'number'
      ? await findByNumber(db, companyId, name)
      : await findByUuid(db, companyId, name);
  if (!row) throw new AppError('not_found');
  return row;
}

const findByNumber = compiledOnce((db, companyId: number, invoiceNumber: number) =>
  selectInvoices(db)
    .where('invoice.companyId', '=', companyId)
    .where('invoice.invoiceNumber', '=', invoiceNumber),
);

const findByUuid = compiledOnce((db, companyId: number, uuid: string) =>
  selectInvoices(db).where('invoice.companyId', '=', companyId).where('invoice.uuid', '=', uuid),
);

const findById = compiledOnce((db, companyId: number, id: number) =>
  selectInvoices(db).where('invoice.companyId', '=', companyId).where('invoice.id', '=', id),
);

/** An invoice that the caller knows to exist. */
export async function getInvoiceById(db: Db, companyId: number, id: number): Promise<InvoiceRow> {
  const [row] = await findById(db, companyId, id);
  if (!row) throw new Error(`Invoice ${id} is not there`);
  return row;
}

/** An invoice, locked until the transaction ends. @throws AppError not_found */
export async function lockInvoice(
  trx: Trx,
  companyId: number,
  name: NumberOrUuid,
): Promise<InvoiceRow> {
  return lockBy(trx, companyId, typeof name === 'number' ? 'invoiceNumber' : 'uuid', name);
}

/** Like `lockInvoice`, by its id in the database. */
export async function lockInvoiceById(
  trx: Trx,
  companyId: number,
  id: number,
): Promise<InvoiceRow> {
  return lockBy(trx, companyId, 'id', id);
}

async function lockBy(
  trx: Trx,
  companyId: number,
  column: 'id' | 'invoiceNumber' | 'uuid',
  value: NumberOrUuid,
): Promise<InvoiceRow> {
  const held = await trx
    .selectFrom('invoice')
    .select('id')
    .where('companyId', '=', companyId)
    .where(column, '=', value as never)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!held) throw new AppError('not_found');
  return getInvoiceById(trx, companyId, held.id);
}

/** Sets a registered invoice without payments to cancelled. */
export async function cancel(trx: Trx, companyId: number, id: number): Promise<void> {
  await trx
    .updateTable('invoice')
    .set({ status: 'CANCELLED' })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a draft that the caller holds. */
export async function deleteDraft(trx: Trx, companyId: number, id: number): Promise<void> {
  await trx.deleteFrom('invoice').where('companyId', '=', companyId).where('id', '=', id).execute();
}

/** Saves whether a registered invoice is disputed. The caller holds the invoice. */
export async function updateDispute(
  trx: Trx,
  companyId: number,
  id: number,
  dispute: Row<'invoice', 'disputed' | 'disputedNote'>,
): Promise<void> {
  await trx
    .updateTable('invoice')
    .set(dispute)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}
