import { useState } from 'react';
import { useSearchParams } from 'react-router';

import { customerNumber as customerNumberRule } from '../../../../domain/customer/customer.schema.ts';
import {
  INVOICE_SORTS,
  LISTED_STATUSES,
  type InvoiceSort,
  type InvoiceSortKey,
  type ListedStatus,
} from '../../../../domain/invoice/invoice-list.schema.ts';
import { parseDate } from '../../../lib/date-text.ts';
import { useDebounced } from '../../../ui/SearchField.tsx';
import type { InvoiceFilter } from '../invoice.api.ts';

/** The search, filters and order of the invoice list, which begin as its address says. */
export function useListView() {
  const [search] = useSearchParams();
  const [text, setText] = useState(search.get('query') ?? '');
  const [status, setStatus] = useState(() => statusIn(search));
  const [einvoice, setEInvoice] = useState(() => einvoiceIn(search));
  const [sort, setSort] = useState(() => sortIn(search));
  const [customerNumber, setCustomerNumber] = useState(() => customerIn(search));
  const [days, setDays] = useState(() => daysIn(search));
  const query = useDebounced(text.trim());
  const filter: InvoiceFilter = { query, status, einvoice, sort, customerNumber, ...days };
  const hasDays = Object.values(days).some((day) => day !== undefined);
  const choose = (only: ListedStatus | undefined, way?: InvoiceFilter['einvoice']) => {
    setStatus(only);
    setEInvoice(way);
  };
  const showOnly = (only: ListedStatus | undefined) => {
    setText('');
    choose(only);
    setCustomerNumber(undefined);
    setDays(ALL_DAYS);
  };
  return {
    filter,
    text,
    setText,
    /** Chooses a status, or in place of one how documents went as e-invoices. */
    setStatus: choose,
    setSort,
    setCustomerNumber,
    setDays,
    forgetDays: () => setDays(ALL_DAYS),
    showOnly,
    showAll: () => showOnly(undefined),
    isFiltered: query !== '' || (status ?? einvoice ?? customerNumber) !== undefined || hasDays,
    onlyStatus: query === '' && customerNumber === undefined && !hasDays ? status : undefined,
    address: {
      query,
      status,
      einvoice,
      sort,
      customer: customerNumber?.toString(),
      from: days.from,
      to: days.to,
      due_from: days.dueFrom,
      due_to: days.dueTo,
    },
  };
}

export type ListView = ReturnType<typeof useListView>;

function statusIn(search: URLSearchParams): ListedStatus | undefined {
  return LISTED_STATUSES.find((one) => one === search.get('status'));
}

function einvoiceIn(search: URLSearchParams): InvoiceFilter['einvoice'] {
  return search.get('einvoice') === 'OTHER_WAY' ? 'OTHER_WAY' : undefined;
}

type Days = Pick<InvoiceFilter, 'from' | 'to' | 'dueFrom' | 'dueTo'>;

const ALL_DAYS: Days = {};

function daysIn(search: URLSearchParams): Days {
  const dayIn = (name: string) => parseDate(search.get(name) ?? '') ?? undefined;
  return {
    from: dayIn('from'),
    to: dayIn('to'),
    dueFrom: dayIn('due_from'),
    dueTo: dayIn('due_to'),
  };
}

function customerIn(search: URLSearchParams): number | undefined {
  const found = customerNumberRule.safeParse(Number(search.get('customer') ?? Number.NaN));
  return found.success ? found.data : undefined;
}

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
  return sort.replace('-', '') as InvoiceSortKey;
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
