import { readableEmail } from './email.ts';

/** Indexes of trigrams need three letters; a shorter word is looked for where words begin. */
const TRIGRAM = 3;

/**
 * Folds text for search. JavaScript knows that Ø is ø whatever locale the database was made with.
 * The leading space lets a search for the beginning of a word use the index too.
 */
export function searchText(...parts: (string | number | null)[]): string {
  return ` ${parts
    .filter((part) => part !== null && part !== '')
    .join(' ')
    .normalize('NFC')
    .toLowerCase()}`;
}

/** The words of a search, each of which must be found. */
export function searchWords(query: string): string[] {
  return searchText(query).trim().split(/\s+/).filter(Boolean);
}

/** What a text must contain for this word to be found in it. */
export function soughtOf(word: string): string {
  return word.length < TRIGRAM ? ` ${word}` : word;
}

interface SearchedCustomer {
  readonly name: string;
  readonly customerNumber: number;
  readonly email: string | null;
  readonly orgNumber: string | null;
}

/** The text in which a customer is searched for. */
export function customerSearchText(customer: SearchedCustomer): string {
  const { name, customerNumber, email, orgNumber } = customer;
  const readable = email === null ? null : readableEmail(email);
  // People search for a domain in either of its two forms.
  return searchText(name, customerNumber, email, readable === email ? null : readable, orgNumber);
}
