import {
  INVOICE_SORTS,
  type InvoiceSort,
  type InvoiceSortKey,
} from '../../../../domain/invoice/invoice-list.schema.ts';

export const SORT_LABELS: readonly (readonly [InvoiceSort, string])[] = [
  ['-number', 'Nummer, høyeste først'],
  ['number', 'Nummer, laveste først'],
  ['customer', 'Kunde, A–Å'],
  ['-customer', 'Kunde, Å–A'],
  ['-issue_date', 'Fakturadato, nyeste først'],
  ['issue_date', 'Fakturadato, eldste først'],
  ['due_date', 'Forfall, tidligst først'],
  ['-due_date', 'Forfall, senest først'],
  ['-amount', 'Beløp, høyest først'],
  ['amount', 'Beløp, lavest først'],
];

/** Keys that sort descending first: users look for the newest and the largest. */
const HIGHEST_FIRST: ReadonlySet<InvoiceSortKey> = new Set(['number', 'issue_date', 'amount']);

export function sortIn(search: URLSearchParams): InvoiceSort | undefined {
  const named = search.get('sort');
  return INVOICE_SORTS.find((sort) => sort === named);
}

export function keyOf(sort: InvoiceSort): InvoiceSortKey {
  return INVOICE_KEYS.get(sort) ?? 'number';
}

const INVOICE_KEYS = new Map(
  INVOICE_SORTS.map((sort) => [sort, sort.replace('-', '') as InvoiceSortKey]),
);

export function isDescending(sort: InvoiceSort): boolean {
  return sort.startsWith('-');
}

/** The order after a click on a heading: first its usual order, then the reverse, then the list's default. */
export function nextSort(
  sort: InvoiceSort | undefined,
  key: InvoiceSortKey,
): InvoiceSort | undefined {
  const [first, second]: InvoiceSort[] = HIGHEST_FIRST.has(key)
    ? [`-${key}`, key]
    : [key, `-${key}`];
  if (sort === first) return second;
  return sort === second ? undefined : first;
}
