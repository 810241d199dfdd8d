import type { IsoDate } from '../../domain/date.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { PaymentKind, PaymentSource } from '../../domain/payment/payment.schema.ts';
import type { StoredSuggestion } from '../platform/db/payment-tables.ts';
import type { PaymentRow } from './payment.repository.ts';

/** A payment to add. Absent fields are null. */
export interface NewPayment {
  /** Null leaves it unplaced. */
  readonly invoiceId: number | null;
  /** For unplaced money: the customer whose credit it is. */
  readonly customerId?: number | null;
  /** Øre; negative takes a payment back. */
  readonly amount: Ore;
  /** The part of the amount that pays reminder claims; absent is 0. */
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
  /** The opposite row that this one takes back. */
  readonly undoesId?: number | null;
  /** The row that this money comes from. */
  readonly fromId?: number | null;
}

/** The part of a row that pays the invoice itself, without reminder claims (øre). */
export function principalOf({
  amount,
  reminderAmount = ore(0),
}: Pick<NewPayment, 'amount' | 'reminderAmount'>): Ore {
  return ore(amount - reminderAmount);
}

/** The row that takes another one back, at the same place. */
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

/** The fields that rows of the same money share. */
export function moneyOf(payment: PaymentRow): Omit<NewPayment, 'invoiceId' | 'kind'> {
  const { customerId, amount, paidOn, source, account, kid, text } = payment;
  const { payer, payerAccountHash, reference, entryId } = payment;
  const bank = { account, kid, text, payer, payerAccountHash, reference, entryId };
  return { customerId, amount, paidOn, source, ...bank };
}
