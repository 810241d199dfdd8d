import { sql } from 'kysely';

import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db, Trx } from '../db/database.ts';
import type { InvoiceRow, LineRow, StandingRow, UndeliveredRow } from './invoice.rows.ts';

const INVOICE_COLUMNS = [
  'invoice.id',
  'invoice.uuid',
  'invoice.companyId',
  'invoice.customerId',
  'invoice.kind',
  'invoice.status',
  'invoice.deliveryType',
  'invoice.deliveryStatus',
  'invoice.issueDate',
  'invoice.dueDays',
  'invoice.dueDate',
  'invoice.deliveryDate',
  'invoice.reference',
  'invoice.netAmount',
  'invoice.vatAmount',
  'invoice.grossAmount',
  'invoice.paidDate',
  'invoice.invoiceNumber',
  'invoice.kid',
  'invoice.seller',
  'invoice.buyer',
  'invoice.bankAccountNumber',
  'invoice.creditsInvoiceId',
  'note.uuid as noteUuid',
  'note.invoiceNumber as noteNumber',
  'original.uuid as originalUuid',
  'original.invoiceNumber as originalNumber',
  'original.issueDate as originalIssueDate',
] as const;

/** Every invoice with what it credits and what credits it. */
export function selectInvoices(db: Db) {
  return db
    .selectFrom('invoice')
    .leftJoin('invoice as note', 'note.creditsInvoiceId', 'invoice.id')
    .leftJoin('invoice as original', 'original.id', 'invoice.creditsInvoiceId')
    .select(INVOICE_COLUMNS);
}

export async function findInvoice(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<InvoiceRow | null> {
  const row = await selectInvoices(db)
    .where('invoice.companyId', '=', companyId)
    .where(typeof name === 'number' ? 'invoice.invoiceNumber' : 'invoice.uuid', '=', name as never)
    .executeTakeFirst();
  return row ?? null;
}

export async function findInvoicesByIds(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<InvoiceRow[]> {
  return selectInvoices(db)
    .where('invoice.companyId', '=', companyId)
    .where(sql<boolean>`invoice.id = ANY(${[...ids]}::bigint[])`)
    .orderBy('invoice.id')
    .execute();
}

/** An invoice held until the transaction ends; null when it is not the company's. */
export async function lockInvoice(
  trx: Trx,
  companyId: number,
  name: NumberOrUuid,
): Promise<InvoiceRow | null> {
  return lockBy(trx, companyId, typeof name === 'number' ? 'invoiceNumber' : 'uuid', name);
}

/** As `lockInvoice`, by the id that other tables name it by. */
export async function lockInvoiceById(
  trx: Trx,
  companyId: number,
  id: number,
): Promise<InvoiceRow | null> {
  return lockBy(trx, companyId, 'id', id);
}

async function lockBy(
  trx: Trx,
  companyId: number,
  column: 'id' | 'invoiceNumber' | 'uuid',
  value: NumberOrUuid,
): Promise<InvoiceRow | null> {
  const held = await trx
    .selectFrom('invoice')
    .select('id')
    .where('companyId', '=', companyId)
    .where(column, '=', value as never)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!held) return null;
  const [row] = await findInvoicesByIds(trx, companyId, [held.id]);
  return row ?? null;
}

/** The lines of these invoices, in their order. */
export async function findLines(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<LineRow[]> {
  return db
    .selectFrom('invoiceLine')
    .select(['id', 'invoiceId', 'quantity', 'description', 'netUnitAmount', 'vatRate'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${[...invoiceIds]}::bigint[])`)
    .orderBy('invoiceId')
    .orderBy('position')
    .execute();
}

export async function setStatus(
  trx: Trx,
  companyId: number,
  id: number,
  status: InvoiceStatus,
  paidDate: string | null,
): Promise<void> {
  await trx
    .updateTable('invoice')
    .set({ status, paidDate })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

export async function deleteDraft(trx: Trx, companyId: number, id: number): Promise<void> {
  await trx.deleteFrom('invoice').where('companyId', '=', companyId).where('id', '=', id).execute();
}

/**
 * Registered invoices of these types that have no delivery, each company's in the order of their
 * numbers, held; those held by others are passed over. Of one company or, with null, of all.
 */
export async function lockUndelivered(
  trx: Trx,
  companyId: number | null,
  { deliveryTypes, most }: { deliveryTypes: readonly DeliveryType[]; most: number },
): Promise<UndeliveredRow[]> {
  const query = selectUndelivered(trx, deliveryTypes);
  return (companyId === null ? query : query.where('companyId', '=', companyId))
    .orderBy('companyId')
    .orderBy('invoiceNumber')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Which of these invoices are registered and have no delivery, in the order of their numbers. */
export async function findUndelivered(
  trx: Trx,
  companyId: number,
  { deliveryTypes, ids }: { deliveryTypes: readonly DeliveryType[]; ids: readonly number[] },
): Promise<UndeliveredRow[]> {
  return selectUndelivered(trx, deliveryTypes)
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .orderBy('invoiceNumber')
    .execute();
}

function selectUndelivered(trx: Trx, deliveryTypes: readonly DeliveryType[]) {
  return trx
    .selectFrom('invoice')
    .select(['id', 'companyId', 'deliveryType', 'buyer', 'status', 'creditsInvoiceId'])
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .where('deliveryType', 'in', deliveryTypes);
}

/** What decides whether these invoices may be mailed, in no order. */
export async function findStandings(
  db: Db,
  { companyIds, ids }: { companyIds: readonly number[]; ids: readonly number[] },
): Promise<StandingRow[]> {
  return db
    .selectFrom('invoice')
    .select(['id', 'status', 'creditsInvoiceId'])
    .where(sql<boolean>`company_id = ANY(${[...companyIds]}::bigint[])`)
    .where(sql<boolean>`id = ANY(${[...ids]}::bigint[])`)
    .execute();
}

/** Whether an invoice of these types, registered so many seconds ago, still has no delivery. */
export async function hasUndelivered(
  db: Db,
  deliveryTypes: readonly DeliveryType[],
  olderThan: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('invoice')
    .select('id')
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .where('deliveryType', 'in', deliveryTypes)
    .where(sql<boolean>`registered_at < now() - make_interval(secs => ${olderThan})`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many registered invoices wait to be mailed, and how many were; of all companies. */
export async function countDelivered(db: Db): Promise<{ pending: number; sent: number }> {
  const { rows } = await sql<{ pending: number; sent: number }>`
    SELECT
      (SELECT count(*) FROM invoice
       WHERE delivery_status = 'PENDING' AND status <> 'DRAFT')::integer AS pending,
      (SELECT COALESCE(sum(sent), 0) FROM invoice_count)::integer AS sent`.execute(db);
  return rows[0] ?? { pending: 0, sent: 0 };
}
