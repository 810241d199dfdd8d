import type { Db } from '../db/database.ts';
import * as repository from './payment-check.repository.ts';

/** Whether what is kept of invoices and customers is what their payments come to, at one moment. */
export async function paymentsAreRight(db: Db, companyId: number): Promise<boolean> {
  return repository.paymentsAreRight(db, companyId);
}
