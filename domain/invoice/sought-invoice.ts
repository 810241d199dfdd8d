import { isKroner, kronerToOre, type Ore } from '../money.ts';
import { tidyOrgNumber } from '../text.ts';
import { readNumber } from '../written-number.ts';

/** The readings of a text in the search of invoices. An invoice is found by any of them (INV-44). */
export interface SoughtInvoice {
  /** A number that nothing else can be meant by; the only reading then. */
  readonly invoiceNumber: number | null;
  /** For invoice number, buyer, organisation number and KID, which have no spaces between their digits. */
  readonly text: string;
  /** For reference and lines, as typed. */
  readonly words: string;
  readonly amount: Ore | null;
}

const NAMED = /^(?:#|(?:faktura|kreditnota)\s*(?:nr\.?|nummer)?\s*#?)\s*(\d{1,10})$/i;
const CURRENCY = /^(?:kr|nok)\b\.?|(?:kr|nok)\.?$/gi;

/** '#5' and 'faktura 5' → number 5; '18 925,00' → also an amount; '974 760 673' → also '974760673'. */
export function soughtInvoice(query: string): SoughtInvoice {
  const number = NAMED.exec(query)?.[1];
  const kroner = Math.abs(readNumber(query.replaceAll(CURRENCY, '')).value ?? Number.NaN);
  return {
    invoiceNumber: number === undefined ? null : Number(number),
    text: tidyOrgNumber(query),
    words: query,
    amount: isKroner(kroner) ? kronerToOre(kroner) : null,
  };
}
