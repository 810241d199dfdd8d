import { expect, test } from 'vitest';

import { bareKid } from '../../../../domain/kid.ts';
import { ore } from '../../../../domain/money.ts';
import { Dues, matchPayment, type Candidates, type Incoming } from './match.ts';

const ACCOUNT = '86011117947';
const DUE = ore(10_000);

/** The outcome of a payment of all that is due of the only invoice, which has this KID. */
function outcomeOf(kidOfInvoice: string, payment: Partial<Incoming>): string {
  const amounts = { amountDue: DUE, reminderAmount: ore(0) };
  const invoice = { id: 1, invoiceNumber: 123, customerId: 1, kid: kidOfInvoice, account: ACCOUNT };
  const candidates: Candidates = {
    byKid: new Map([[bareKid(kidOfInvoice), [{ ...invoice, ...amounts }]]]),
    byNumber: new Map(),
    byPayer: new Map(),
  };
  const rest = { amount: DUE, account: ACCOUNT, invoiceNumbers: [], text: null, payerHash: null };
  return matchPayment({ ...rest, kids: [], ...payment }, candidates, new Dues()).outcome;
}

const withKid = (kid: string) => ({ kids: [{ kid, amount: null }] });

test('only the exact KID to the account of its invoice is certain: leading zeros and ‘-’ count (BANK-20)', () => {
  expect(outcomeOf('001236-', withKid('001236-'))).toBe('EXACT');
  expect(outcomeOf('001236-', withKid('1236-'))).toBe('SUGGESTED');
  expect(outcomeOf('001236-', withKid('001236'))).toBe('UNPLACED');
  expect(outcomeOf('0012344', withKid('0012344-'))).toBe('UNPLACED');
  expect(outcomeOf('0012344', { text: 'KID 0012344' })).toBe('SUGGESTED');
  expect(outcomeOf('0012344', { ...withKid('0012344'), account: '12345678903' })).toBe('SUGGESTED');
});
