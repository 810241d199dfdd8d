import { bareKid } from '../../domain/kid.ts';
import type { Settlement } from '../../domain/late-payment/interest.ts';
import type { Db } from '../platform/db/database.ts';
import { findPaid, findUnplacedNaming } from './payment.repository.ts';

export { paymentsAreRight } from './payment-check.repository.ts';

/** The payments and credits that reduce these invoices' claims, by invoice id; absent without any. */
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

interface Named {
  readonly id: number;
  readonly kid: string | null;
}

/** Up to this many invoices are looked up one by one; for more, all unplaced money is read in one pass. */
const FEW = 20;

/**
 * Finds which of these invoices unplaced money may be for: it has the KID, or was suggested for it. Only the owner
 * can decide.
 */
export async function findUnplacedFor(
  db: Db,
  companyId: number,
  invoices: readonly Named[],
): Promise<(invoice: Named) => boolean> {
  const unplaced = await findUnplacedNaming(db, companyId, invoices.length > FEW ? null : invoices);
  const kids = new Set(unplaced.map(({ kid }) => bareKid(kid ?? '')));
  const ids = new Set(unplaced.flatMap(({ suggestion }) => suggestion?.invoiceIds ?? []));
  return ({ id, kid }) => ids.has(id) || (kid !== null && kids.has(bareKid(kid)));
}
