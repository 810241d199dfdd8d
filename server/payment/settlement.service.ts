import type { Settlement } from '../../domain/late-payment/interest.ts';
import type { Db } from '../db/database.ts';
import { findPaid } from './payment.repository.ts';

/** What has lowered the claims of these invoices, by their ids; none for one of which nothing is paid. */
export async function findSettlements(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, Settlement[]>> {
  const rows = invoiceIds.length === 0 ? [] : await findPaid(db, companyId, invoiceIds);
  const settlements = new Map<number, Settlement[]>();
  for (const { invoiceId, date, amount } of rows) {
    const ofInvoice = settlements.get(invoiceId) ?? [];
    settlements.set(invoiceId, [...ofInvoice, { date, amount }]);
  }
  return settlements;
}
