import {
  INVOICE_SORTS,
  type InvoiceSort,
  type InvoiceSortKey,
} from '../../../../domain/invoice/invoice-list.schema.ts';

/** What lists of invoices can be sorted by, as the choice of it says. */
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

/** Where the highest is looked for first: the newest and the largest. */
const HIGHEST_FIRST: ReadonlySet<InvoiceSortKey> = new Set(['number', 'issue_date', 'amount']);

/** The order that an address names, if it is one. */
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

/** What a column's heading leads to: its usual order, then the other way round, then the list's own. */
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
