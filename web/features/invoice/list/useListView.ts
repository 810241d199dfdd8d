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
    forgetCustomer: () => setCustomerNumber(undefined),
    showOnly,
    showAll: () => showOnly(undefined),
    isFiltered: query !== '' || status !== undefined || customerNumber !== undefined,
    onlyStatus: query === '' && customerNumber === undefined ? status : undefined,
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
