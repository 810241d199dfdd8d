import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';

import { todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { sumKroner } from '../../../domain/money.ts';
import { rowsOf } from '../../lib/paged.ts';
import { paths } from '../../lib/paths.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { useWholePages } from '../../ui/NextPage.tsx';
import { Card } from '../../ui/Surface.tsx';
import { openInvoicesQuery } from './payment.api.ts';
import { OwedSums, type Owed } from './OwedSums.tsx';

/** Stops fetching here. The sums then cover only these pages. */
const PAGES_AT_MOST = 25;

export function CustomerInvoices({ customerNumber }: { customerNumber: number }) {
  const navigate = useNavigate();
  const list = useInfiniteQuery(openInvoicesQuery(customerNumber));
  const { data, isError, hasNextPage, isFetching, fetchNextPage } = list;
  const isWhole = data !== undefined && (!hasNextPage || data.pages.length >= PAGES_AT_MOST);
  useEffect(() => {
    if (data && !isWhole && !isFetching && !isError) void fetchNextPage();
  }, [data, isWhole, isFetching, isError, fetchNextPage]);
  useWholePages(list);
  return (
    <Card
      heading="Fakturaer"
      aside={<ButtonLink to={paths.invoicesOf(customerNumber)}>Vis alle fakturaer</ButtonLink>}
    >
      {isError && !isWhole ? (
        <LoadFailure onRetry={() => void list.refetch()} />
      ) : (
        <OwedSums
          summary={isWhole ? owedOf(rowsOf(data.pages)) : undefined}
          onStatus={(status) => void navigate(paths.invoicesOf(customerNumber, status))}
        />
      )}
    </Card>
  );
}

function owedOf(invoices: readonly Invoice[]): Owed {
  const today = todayInOslo();
  const late = invoices.filter(({ dueDate }) => dueDate < today);
  return {
    outstanding: invoices.length,
    outstandingAmount: dueOf(invoices),
    overdue: late.length,
    overdueAmount: dueOf(late),
  };
}

/** Kroner. */
function dueOf(invoices: readonly Invoice[]): number {
  return sumKroner(invoices.map(({ amountDue }) => amountDue));
}
