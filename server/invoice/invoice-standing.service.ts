import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Db, Trx } from '../db/database.ts';
import * as repository from './invoice.repository.ts';
import type { UndeliveredRow } from './invoice.rows.ts';

/** Whether an invoice is to be paid, and what it credits. */
export interface Standing {
  readonly invoiceId: number;
  readonly status: InvoiceStatus;
  readonly creditsInvoiceId: number | null;
}

/** A registered invoice that has no delivery. */
export interface Undelivered extends Standing {
  readonly companyId: number;
  readonly deliveryType: DeliveryType;
  /** As frozen with it. */
  readonly buyer: Buyer;
}

/**
 * Registered invoices of these types that have no delivery, each company's in the order of their numbers.
 * They are held until the transaction ends; those that another transaction holds are left to it.
 * Of one company or, with null, of all.
 */
export async function findUndelivered(
  trx: Trx,
  companyId: number | null,
  limits: { readonly deliveryTypes: readonly DeliveryType[]; readonly most: number },
): Promise<Undelivered[]> {
  return (await repository.lockUndelivered(trx, companyId, limits)).map(toUndelivered);
}

/** Which of these invoices, held by the caller, are registered and have no delivery. */
export async function findUndeliveredAmong(
  trx: Trx,
  companyId: number,
  among: { readonly deliveryTypes: readonly DeliveryType[]; readonly ids: readonly number[] },
): Promise<Undelivered[]> {
  return (await repository.findUndelivered(trx, companyId, among)).map(toUndelivered);
}

function toUndelivered(row: UndeliveredRow): Undelivered {
  const { id, companyId, deliveryType, buyer, status, creditsInvoiceId } = row;
  if (!buyer) throw new Error(`Invoice ${id} was registered without its buyer`);
  return { companyId, invoiceId: id, deliveryType, buyer, status, creditsInvoiceId };
}

/** How these invoices of these companies stand now, by id. */
export async function findStandings(
  db: Db,
  { companyIds, invoiceIds }: { companyIds: readonly number[]; invoiceIds: readonly number[] },
): Promise<Map<number, Standing>> {
  const rows = await repository.findStandings(db, { companyIds, ids: invoiceIds });
  return new Map(rows.map(({ id, ...standing }) => [id, { invoiceId: id, ...standing }]));
}

/** Whether an invoice of these types, registered so many seconds ago, still has no delivery. */
export async function hasUndelivered(
  db: Db,
  deliveryTypes: readonly DeliveryType[],
  olderThan: number,
): Promise<boolean> {
  return repository.hasUndelivered(db, deliveryTypes, olderThan);
}

/** How many registered invoices wait to be mailed, and how many were; of all companies. */
export async function countDelivered(db: Db): Promise<{ pending: number; sent: number }> {
  return repository.countDelivered(db);
}
