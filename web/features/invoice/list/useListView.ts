import { useState } from 'react';
import { useSearchParams } from 'react-router';

import { customerNumber as customerNumberRule } from '../../../../domain/customer/customer.schema.ts';
import {
  LISTED_STATUSES,
  type ListedStatus,
} from '../../../../domain/invoice/invoice-list.schema.ts';
import { useDebounced } from '../../../ui/SearchField.tsx';
import type { InvoiceFilter } from '../invoice.api.ts';
import { sortIn } from './sorting.ts';

/** The list's search, filters and order, initially from the URL. */
export function useListView() {
  const [search] = useSearchParams();
  const [text, setText] = useState(search.get('query') ?? '');
  const [status, setStatus] = useState(() => statusIn(search));
  const [sort, setSort] = useState(() => sortIn(search));
  const [customerNumber, setCustomerNumber] = useState(() => customerIn(search));
  const query = useDebounced(text.trim());
  const filter: InvoiceFilter = { query, status, sort, customerNumber };
  const showOnly = (only: ListedStatus | undefined) => {
    setText('');
    setStatus(only);
    setCustomerNumber(undefined);
  };
  return {
    filter,
    text,
    setText,
    setStatus,
    setSort,
    /** Removes the customer filter. */
    forgetCustomer: () => setCustomerNumber(undefined),
    /** Filters by this status alone, without search and customer. */
    showOnly,
    /** Removes every filter. */
    showAll: () => showOnly(undefined),
    isFiltered: query !== '' || status !== undefined || customerNumber !== undefined,
    /** The status, when it is the only filter. */
    onlyStatus: query === '' && customerNumber === undefined ? status : undefined,
    /** The values for the URL, which leaves out page 1. */
    address: { query, status, sort, customer: customerNumber?.toString() },
  };
}

export type ListView = ReturnType<typeof useListView>;

function statusIn(search: URLSearchParams): ListedStatus | undefined {
  return LISTED_STATUSES.find((one) => one === search.get('status'));
}

function customerIn(search: URLSearchParams): number | undefined {
  const found = customerNumberRule.safeParse(Number(search.get('customer') ?? Number.NaN));
  return found.success ? found.data : undefined;
}
