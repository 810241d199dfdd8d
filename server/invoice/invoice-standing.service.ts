import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Buyer } from '../../domain/parties.ts';
import type { Trx } from '../platform/db/database.ts';
import * as repository from './invoice.repository.ts';
import type { Standing, UndeliveredRow } from './invoice.rows.ts';

export {
  countPending,
  countSent,
  findIssued,
  findUndeliveredCompanies,
  hasUndelivered,
} from './invoice.repository.ts';
export type { Standing } from './invoice.rows.ts';

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
export async function findUndelivered(
  trx: Trx,
  companyId: number,
  limits: { readonly deliveryTypes: readonly DeliveryType[]; readonly most: number },
): Promise<Undelivered[]> {
  return (await repository.lockUndelivered(trx, companyId, limits)).map(toUndelivered);
}

/** The given invoices, held by the caller, that are registered and have no delivery. */
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
