/**
 * The MOD11 check digit of a string of digits: weights 2–7 repeating from the right. Returns null for the check 10,
 * which has no digit (KID writes '-'). KID-3 and PRO-4 have the weights; source: Nets, OCR giro system specification
 * § 5. Organisation and account numbers use the same sum: their fixed weights are these weights read from the left.
 */
export function mod11(digits: string): number | null {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const weight = 2 + ((digits.length - 1 - index) % 6);
    sum += Number(digits[index]) * weight;
  }
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? null : check;
}

/** Whether the last digit is the MOD11 check of those before it. */
export function endsWithMod11(digits: string): boolean {
  return mod11(digits.slice(0, -1)) === Number(digits.at(-1));
}

/** The MOD10 (Luhn) check digit of a string of digits: weights 2, 1, 2, 1 … from the right. */
export function mod10(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const product = Number(digits[index]) * ((digits.length - index) % 2 === 1 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return (10 - (sum % 10)) % 10;
}

/** How the check digit of a KID is computed (Nets OCR manual § 5). */
export const KID_MODULI = ['MOD10', 'MOD11'] as const;
export type KidModulus = (typeof KID_MODULI)[number];

/** A company's agreement with its bank: KIDs of one length, with one kind of check digit. */
export interface KidRules {
  /** Number of digits, including the check digit. */
  readonly length: number;
  readonly modulus: KidModulus;
}

export const KID_LENGTH_MIN = 4;
/** Longest KID that the banks accept (Nets OCR manual § 5). */
export const KID_LENGTH_MAX = 25;

/** Digits reserved for the customer number, whose largest value is 9999999. */
const CUSTOMER_DIGITS = 7;
/** Digits reserved for the invoice number, whose largest value is 9999999999. */
const INVOICE_DIGITS = 10;

/** Rules without an agreement: customer number, invoice number and check digit. */
const WITHOUT_AGREEMENT: KidRules = {
  length: CUSTOMER_DIGITS + INVOICE_DIGITS + 1,
  modulus: 'MOD10',
};

/**
 * MOD11 has no digit for one remainder in eleven and writes '-', which some banks refuse; the next filler is used
 * then (KID-5). The filler's weight and 11 have no common divisor, so one of two fillers gives a digit.
 */
const FILLERS: Readonly<Record<KidModulus, readonly string[]>> = {
  MOD10: [''],
  MOD11: ['0', '1'],
};

/**
 * The KID of an invoice by the rules of an agreement: filler, zeros, customer number if all its digits fit, invoice
 * number, check digit. All KIDs have the same length, and the same numbers always give the same KID. Null for a
 * number that does not fit.
 *
 * The invoice number stands before the check digit under all rules: when ten digits fit, two invoices of a company
 * never share a KID. With fewer digits they may share one if the rules changed in between.
 */
export function makeAgreedKid(
  rules: KidRules,
  customerNumber: number,
  invoiceNumber: number,
): string | null {
  const room = roomOf(rules);
  if (invoiceNumber > highestInvoiceNumber(rules)) return null;
  const hasCustomer = room >= CUSTOMER_DIGITS + INVOICE_DIGITS;
  const customer = hasCustomer ? String(customerNumber).padStart(CUSTOMER_DIGITS, '0') : '';
  if (customer.length > CUSTOMER_DIGITS) return null;
  const number = String(invoiceNumber).padStart(INVOICE_DIGITS, '0').slice(-room);
  const digits = (customer + number).padStart(room, '0');
  for (const filler of FILLERS[rules.modulus]) {
    const base = filler + digits;
    const check = rules.modulus === 'MOD10' ? mod10(base) : mod11(base);
    if (check !== null) return `${base}${check}`;
  }
  return null;
}

/** Whether a KID ends in its check digit. MOD11 writes '-' for one remainder in eleven. */
export function hasCheckDigit(kid: string, modulus: KidModulus): boolean {
  const base = kid.slice(0, -1);
  const check = modulus === 'MOD10' ? mod10(base) : (mod11(base) ?? '-');
  return kid.at(-1) === String(check);
}

/** The highest invoice number that fits in a KID by these rules. */
export function highestInvoiceNumber(rules: KidRules): number {
  return 10 ** Math.min(roomOf(rules), INVOICE_DIGITS) - 1;
}

/** Digits left beside the filler and the check digit. */
function roomOf({ length, modulus }: KidRules): number {
  return length - 1 - (FILLERS[modulus][0] ?? '').length;
}

/**
 * The KID of an invoice without an agreement (KID-1, KID-2): customer number and invoice number, zero-padded to a
 * constant length, with a MOD10 check digit. It uses 18 of the 25 digits that the banks allow.
 */
export function makeKid(customerNumber: number, invoiceNumber: number): string {
  const kid = makeAgreedKid(WITHOUT_AGREEMENT, customerNumber, invoiceNumber);
  if (kid === null) {
    throw new RangeError(`No KID for customer ${customerNumber}, invoice ${invoiceNumber}`);
  }
  return kid;
}

/** A KID without leading zeros and characters other than digits and '-', for comparison. */
export function bareKid(kid: string): string {
  return kid.replaceAll(/[^\d-]/g, '').replace(/^0+/, '');
}
