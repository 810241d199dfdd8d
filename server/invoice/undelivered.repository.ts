import { sql } from 'kysely';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { InvoiceKind, InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { creditedStatus } from './invoice.selection.ts';

/** The facts that decide whether an invoice may be sent: whether it is to be paid, and what it credits. */
export interface Standing {
  readonly status: InvoiceStatus;
  readonly creditsInvoiceId: number | null;
  /** The status of the invoice that it credits. */
  readonly creditedStatus: InvoiceStatus | null;
}

/** A registered invoice without a delivery. */
export interface Undelivered extends Standing {
  readonly invoiceId: number;
  readonly companyId: number;
  readonly deliveryType: DeliveryType;
  /** The buyer frozen on the invoice. */
  readonly buyer: Buyer;
}

/**
 * A company's registered invoices of these types without a delivery, ordered by number. They are locked until the
 * transaction ends; those that another transaction has locked are skipped.
 */
export async function lockUndelivered(
  trx: Trx,
  companyId: number,
  { deliveryTypes, most }: { deliveryTypes: readonly DeliveryType[]; most: number },
): Promise<Undelivered[]> {
  const rows = await selectUndelivered(trx, deliveryTypes)
    .where('companyId', '=', companyId)
    .orderBy('invoiceNumber')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(toUndelivered);
}

/** Companies with registered invoices of these types without a delivery. */
export async function findUndeliveredCompanies(
  db: Db,
  deliveryTypes: readonly DeliveryType[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('invoice')
    .select('companyId')
    .distinct()
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .where('deliveryType', 'in', deliveryTypes)
    .orderBy('companyId')
    .execute();
  return rows.map(({ companyId }) => companyId);
}

/** The given invoices, held by the caller, that are registered and have no delivery; ordered by number. */
export async function findUndelivered(
  trx: Trx,
  companyId: number,
  { deliveryTypes, ids }: { deliveryTypes: readonly DeliveryType[]; ids: readonly number[] },
): Promise<Undelivered[]> {
  const rows = await selectUndelivered(trx, deliveryTypes)
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .orderBy('invoiceNumber')
    .execute();
  return rows.map(toUndelivered);
}

function selectUndelivered(trx: Trx, deliveryTypes: readonly DeliveryType[]) {
  return trx
    .selectFrom('invoice')
    .select(['id', 'companyId', 'deliveryType', 'buyer', 'status', 'creditsInvoiceId'])
    .select(creditedStatus())
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .where('deliveryType', 'in', deliveryTypes);
}

type UndeliveredRow = Row<
  'invoice',
  'id' | 'companyId' | 'deliveryType' | 'buyer' | 'status' | 'creditsInvoiceId'
> &
  Pick<Standing, 'creditedStatus'>;

function toUndelivered(row: UndeliveredRow): Undelivered {
  const { id: invoiceId, buyer, ...standing } = row;
  if (!buyer) throw new Error(`Invoice ${invoiceId} was registered without its buyer`);
  return { ...standing, invoiceId, buyer };
}

/** Whether an invoice of these types, registered this many seconds ago, still has no delivery. */
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

/** How many registered invoices of all companies wait for a delivery that somebody must start. */
export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('invoice')
    .select((invoice) => invoice.fn.countAll<number>().as('count'))
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .executeTakeFirstOrThrow();
  return count;
}

/** How many invoices of all companies were sent. Reads one row per company. */
export async function countSent(db: Db): Promise<number> {
  // The sum of bigint is numeric, which the driver returns as text.
  const { rows } = await sql<{ sent: number }>`
    SELECT COALESCE(sum(sent), 0)::bigint AS sent FROM invoice_count`.execute(db);
  return rows[0]?.sent ?? 0;
}

/** The name of an invoice or credit note in texts for people. */
interface Issued {
  readonly kind: InvoiceKind;
  readonly status: InvoiceStatus;
  readonly invoiceNumber: number;
  readonly customerName: string;
}

/** The numbers and kinds of registered invoices, by id. */
export async function findIssued(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Issued>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Issued & { id: number }>`
    SELECT id, kind, status, invoice_number, buyer ->> 'name' AS customer_name FROM invoice
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])
      AND invoice_number IS NOT NULL`.execute(db);
  return new Map(rows.map(({ id, ...issued }) => [id, issued]));
}

/** Whether a company has a registered invoice of these types that is still to be delivered. */
export async function hasPending(
  db: Db,
  companyId: number,
  deliveryTypes: readonly DeliveryType[],
): Promise<boolean> {
  const row = await db
    .selectFrom('invoice')
    .select('id')
    .where('companyId', '=', companyId)
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .where('deliveryType', 'in', deliveryTypes)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
