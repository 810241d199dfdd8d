import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';

import { exportFilter, type ExportFilter } from '../../../domain/export/export.schema.ts';
import { showCount } from '../../lib/count.ts';
import { parseDate } from '../../lib/date-text.ts';
import { Checkbox } from '../../ui/Field.tsx';
import { invoicesQuery } from '../invoice/invoice.api.ts';
import { LISTED_LABELS } from '../invoice/invoice-labels.ts';

/** The filter of the invoice list that came along in the address, and how many it finds. */
export interface ListFilter {
  readonly filter: ExportFilter | undefined;
  readonly count: number | undefined;
}

export function useListFilter(): ListFilter {
  const [search] = useSearchParams();
  const filter = filterIn(search);
  const list = useInfiniteQuery({
    ...invoicesQuery({
      query: filter?.query ?? '',
      status: filter?.status ?? undefined,
      customerNumber: filter?.customerNumber ?? undefined,
      from: parseDate(search.get('from') ?? '') ?? undefined,
      to: parseDate(search.get('to') ?? '') ?? undefined,
    }),
    enabled: filter !== undefined,
  });
  return { filter, count: filter && list.data?.pages[0]?.count };
}

/** The filter in an address; undefined without one, and of one that means nothing. */
function filterIn(search: URLSearchParams): ExportFilter | undefined {
  const customerNumber = search.get('customer_number');
  const parsed = exportFilter.safeParse({
    status: search.get('status'),
    query: search.get('query') ?? '',
    customerNumber: customerNumber && Number(customerNumber),
  });
  if (!parsed.success) return undefined;
  const isEmpty = Object.values(parsed.data).every((value) => value === null || value === '');
  return isEmpty ? undefined : parsed.data;
}

interface FilterFieldProps {
  readonly list: ListFilter;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

export function FilterField({ list: { filter, count }, isChosen, onChoose }: FilterFieldProps) {
  return (
    <Checkbox
      label={labelOf(count)}
      hint={filter ? filterText(filter) : undefined}
      checked={isChosen}
      onChange={({ target }) => onChoose(target.checked)}
    />
  );
}

function labelOf(count: number | undefined): string {
  if (count === 1) return 'Bare den ene i listen nå';
  return count === undefined ? 'Bare de i listen nå' : `Bare de ${showCount(count)} i listen nå`;
}

/** 'Forfalt, kunde 12, søk på «tak». Innbetalinger er med uansett.' */
function filterText({ status, query, customerNumber }: ExportFilter): string {
  const parts = [
    status && LISTED_LABELS[status],
    customerNumber && `kunde ${customerNumber}`,
    query && `søk på «${query}»`,
  ];
  const text = parts.filter(Boolean).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. Innbetalinger blir med uansett.`;
}
