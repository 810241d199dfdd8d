import type { Payment, PaymentSource } from '../../../domain/payment/payment.schema.ts';

/** Who has told of a payment. */
export const SOURCE_LABELS: Readonly<Record<PaymentSource, string>> = {
  MANUAL: 'Ført for hånd',
  BANK: 'Fra banken',
};

/** What the bank has told of a payment: who paid, and for what; '' when it has told nothing. */
export function toldOf({ payer, text, kid }: Payment): string {
  const what = text ?? (kid === null ? null : `KID ${kid}`);
  return [payer, what].filter(Boolean).join(' · ');
}

/** As `toldOf`, of a payment on an invoice: whether it was a customer's credit before. */
export function toldOnInvoice(payment: Payment): string {
  const { source, customerNumber } = payment;
  const isCredit = source === 'MANUAL' && customerNumber !== null;
  return isCredit ? 'Trukket fra kundens tilgodehavende' : toldOf(payment);
}
