import { readableEmail } from './email.ts';

/** Trigram indexes need three letters. A shorter word is matched only at the beginning of words. */
const TRIGRAM = 3;

/**
 * Folds text for search. JavaScript lower-cases Ø for any locale of the database. The leading space lets a search for
 * the beginning of a word use the index too.
 */
export function searchText(...parts: (string | number | null)[]): string {
  return ` ${parts
    .filter((part) => part !== null && part !== '')
    .join(' ')
    .normalize('NFC')
    .toLowerCase()}`;
}

/** The words of a search, each once; each must match. */
export function searchWords(query: string): string[] {
  return [...new Set(searchText(query).trim().split(/\s+/).filter(Boolean))];
}

/** The text that must occur for this word to match. */
export function soughtOf(word: string): string {
  return word.length < TRIGRAM ? ` ${word}` : word;
}

interface SearchedCustomer {
  readonly name: string;
  readonly customerNumber: number;
  readonly email: string | null;
  readonly orgNumber: string | null;
}

/** The text in which customers are searched. */
export function customerSearchText(customer: SearchedCustomer): string {
  const { name, customerNumber, email, orgNumber } = customer;
  const readable = email === null ? null : readableEmail(email);
  // People search for either form of a domain.
  return searchText(name, customerNumber, email, readable === email ? null : readable, orgNumber);
}
