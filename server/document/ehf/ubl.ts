import { oreToDecimal, type Ore } from '../../../domain/money.ts';

/**
 * Elements by their qualified name, in the order of the schema: `@name` is an attribute, `#` the
 * text, an array repeats its element, and what is null is left out.
 */
export interface XmlContent {
  readonly [name: string]: string | XmlContent | readonly XmlContent[] | null;
}

/** An amount in kroner with its currency. */
export function amount(value: Ore): XmlContent {
  return { '@currencyID': 'NOK', '#': oreToDecimal(value) };
}

/** An element that holds nothing but an ID. */
export function identified(id: string): XmlContent {
  return { 'cbc:ID': id };
}

/** The scheme that VAT categories and VAT numbers belong to (UN/ECE 5153). */
export const VAT_SCHEME = identified('VAT');
