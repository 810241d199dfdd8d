/**
 * The MOD11 check digit of a string of digits: weights 2–7 repeating from the right. Returns null for the check 10,
 * which has no digit (KID writes '-'). KID-3 and PRO-4 have the weights; source: Nets, OCR giro system specification § 5. Organisation and account
 * numbers use the same sum: their fixed weights are these weights read from the left.
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
