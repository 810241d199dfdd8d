import type { IsoDate } from '../../domain/date.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { PaymentKind, PaymentSource } from '../../domain/payment/payment.schema.ts';
import type { StoredSuggestion } from '../platform/db/payment-tables.ts';
import type { PaymentRow } from './payment.repository.ts';

/** A payment to be added. What is absent is null. */
export interface NewPayment {
  /** Null leaves it unplaced. */
  readonly invoiceId: number | null;
  /** Of what is unplaced: whose credit it is. */
  readonly customerId?: number | null;
  /** Negative takes back. */
  readonly amount: Ore;
  /** So much of the amount is for what reminders ask for; absent is nothing. */
  readonly reminderAmount?: Ore;
  readonly paidOn: IsoDate;
  readonly source: PaymentSource;
  readonly kind: PaymentKind;
  readonly account?: string | null;
  readonly kid?: string | null;
  readonly text?: string | null;
  readonly payer?: string | null;
  readonly payerAccountHash?: Uint8Array | null;
  readonly reference?: string | null;
  readonly entryId?: number | null;
  readonly possibleCopy?: boolean;
  readonly suggestion?: StoredSuggestion | null;
  /** The row that this one, its opposite, takes back. */
  readonly undoesId?: number | null;
  /** The row whose money this is. */
  readonly fromId?: number | null;
}

/** What of a row on an invoice is not for its reminders (øre). */
export function principalOf({
  amount,
  reminderAmount = ore(0),
}: Pick<NewPayment, 'amount' | 'reminderAmount'>): Ore {
  return ore(amount - reminderAmount);
}

/** The row that takes another back, where that lies. */
export function oppositeOf(payment: PaymentRow, kind: NewPayment['kind']): NewPayment {
  return {
    ...moneyOf(payment),
    kind,
    invoiceId: payment.invoiceId,
    amount: ore(0 - payment.amount),
    reminderAmount: ore(0 - payment.reminderAmount),
    possibleCopy: payment.possibleCopy,
    undoesId: payment.id,
  };
}

/** Another row of the same money. */
export function partOf(payment: PaymentRow): Omit<NewPayment, 'invoiceId'> {
  return { ...moneyOf(payment), kind: payment.kind, fromId: payment.id };
}

/** What the rows of the same money have in common. */
export function moneyOf(payment: PaymentRow): Omit<NewPayment, 'invoiceId' | 'kind'> {
  const { customerId, amount, paidOn, source, account, kid, text } = payment;
  const { payer, payerAccountHash, reference, entryId } = payment;
  const bank = { account, kid, text, payer, payerAccountHash, reference, entryId };
  return { customerId, amount, paidOn, source, ...bank };
}
