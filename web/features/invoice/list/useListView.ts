import { useState } from 'react';
import { useSearchParams } from 'react-router';

import { customerNumber as customerNumberRule } from '../../../../domain/customer/customer.schema.ts';
import {
  LISTED_STATUSES,
  type ListedStatus,
} from '../../../../domain/invoice/invoice-list.schema.ts';
import { parseDate } from '../../../lib/date-text.ts';
import { useDebounced } from '../../../ui/SearchField.tsx';
import type { InvoiceFilter } from '../invoice.api.ts';
import { sortIn } from './sorting.ts';

export function useListView() {
  const [search] = useSearchParams();
  const [text, setText] = useState(search.get('query') ?? '');
  const [status, setStatus] = useState(() => statusIn(search));
  const [sort, setSort] = useState(() => sortIn(search));
  const [customerNumber, setCustomerNumber] = useState(() => customerIn(search));
  const [days, setDays] = useState(() => daysIn(search));
  const query = useDebounced(text.trim());
  const filter: InvoiceFilter = { query, status, sort, customerNumber, ...days };
  const hasDays = Object.values(days).some((day) => day !== undefined);
  const showOnly = (only: ListedStatus | undefined) => {
    setText('');
    setStatus(only);
    setCustomerNumber(undefined);
    setDays(ALL_DAYS);
  };
  return {
    filter,
    text,
    setText,
    setStatus,
    setSort,
    forgetCustomer: () => setCustomerNumber(undefined),
    forgetDays: () => setDays(ALL_DAYS),
    showOnly,
    showAll: () => showOnly(undefined),
    isFiltered: query !== '' || status !== undefined || customerNumber !== undefined || hasDays,
    onlyStatus: query === '' && customerNumber === undefined && !hasDays ? status : undefined,
    address: {
      query,
      status,
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
