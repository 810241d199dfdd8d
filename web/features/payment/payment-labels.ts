import type { Payment, PaymentSource } from '../../../domain/payment/payment.schema.ts';

export const SOURCE_LABELS: Readonly<Record<PaymentSource, string>> = {
  MANUAL: 'Ført for hånd',
  BANK: 'Fra banken',
};

/** The payer and the text or KID of a payment; '' when there is neither. */
export function describePayment({ payer, text, kid }: Payment): string {
  const what = text ?? (kid === null ? null : `KID ${kid}`);
  return [payer, what].filter(Boolean).join(' · ');
}

/** Describes a payment on an invoice: as `describePayment`, or that it was a customer's credit. */
export function describePaymentOnInvoice(payment: Payment): string {
  const { source, customerNumber } = payment;
  const isCredit = source === 'MANUAL' && customerNumber !== null;
  return isCredit ? 'Trukket fra kundens tilgodehavende' : describePayment(payment);
}
