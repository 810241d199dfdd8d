import { mod10 } from './check-digit.ts';

/** Digits set aside for the customer number, whose largest value is 9999999. */
const CUSTOMER_DIGITS = 7;
/** Digits set aside for the invoice number, whose largest value is 9999999999. */
const INVOICE_DIGITS = 10;

/**
 * The KID of an invoice: customer number and invoice number, zero-padded to a constant length,
 * with a MOD10 check digit; 18 of the 25 digits that the banks allow (Nets OCR manual § 5).
 */
export function makeKid(customerNumber: number, invoiceNumber: number): string {
  const base =
    String(customerNumber).padStart(CUSTOMER_DIGITS, '0') +
    String(invoiceNumber).padStart(INVOICE_DIGITS, '0');
  if (base.length !== CUSTOMER_DIGITS + INVOICE_DIGITS) {
    throw new RangeError(`No KID for customer ${customerNumber}, invoice ${invoiceNumber}`);
  }
  return `${base}${mod10(base)}`;
}
