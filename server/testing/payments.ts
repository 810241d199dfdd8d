import { todayInOslo } from '../../domain/date.ts';
import { kronerToOre } from '../../domain/money.ts';
import type { Db } from '../db/database.ts';
import { addPayments, type NewPayment } from '../payment/payment-posting.service.ts';

interface Told extends Partial<Omit<NewPayment, 'amount' | 'invoiceId'>> {
  /** Kroner. */
  readonly amount: number;
}

/** What the bank tells of, unplaced. Returns its uuid. */
export async function addBankPayment(
  db: Db,
  companyId: number,
  { amount, ...told }: Told,
): Promise<string> {
  const row: NewPayment = {
    kind: amount < 0 ? 'REVERSAL' : 'PAYMENT',
    source: 'BANK',
    paidOn: todayInOslo(),
    account: '12345678903',
    payer: 'Kari Nordmann',
    ...told,
    invoiceId: null,
    amount: kronerToOre(amount),
  };
  const author = { type: 'BANK', name: 'ocr.txt' } as const;
  const [added] = await db
    .transaction()
    .execute(async (trx) =>
      addPayments(trx, companyId, author, { rows: [row], payables: new Map() }),
    );
  if (!added) throw new Error('No payment was added');
  return added.uuid;
}
