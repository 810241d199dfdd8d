import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';

import { formatDate, todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { sumKroner } from '../../../domain/money.ts';
import { rowsOf } from '../../lib/paged.ts';
import { paths } from '../../lib/paths.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { useWholePages } from '../../ui/NextPage.tsx';
import { Card } from '../../ui/Surface.tsx';
import { showKroner } from '../../lib/kroner.ts';
import { invoicesQuery } from '../invoice/invoice.api.ts';
import { StatusBadge } from '../invoice/StatusBadge.tsx';
import { openInvoicesQuery } from '../payment/payment.api.ts';
import { OwedSums, type Owed } from '../payment/OwedSums.tsx';

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
      <Latest customerNumber={customerNumber} />
    </Card>
  );
}

const LATEST = 5;

/** The newest invoices, whatever their status. */
function Latest({ customerNumber }: { customerNumber: number }) {
  const { data } = useInfiniteQuery(invoicesQuery({ query: '', customerNumber }));
  return (
    <ul className="divided" aria-label="Siste fakturaer">
      {rowsOf(data?.pages ?? [])
        .slice(0, LATEST)
        .map((invoice) => (
          <li key={invoice.uuid} className="row between gap-2">
            <Link to={paths.invoice(invoice.invoiceNumber ?? invoice.uuid)}>
              {invoice.invoiceNumber === null ? 'Utkast' : invoice.invoiceNumber},{' '}
              {formatDate(invoice.issueDate)}
            </Link>
            <span className="row gap-2 numeric">
              {showKroner(invoice.grossAmount)}
              <StatusBadge invoice={invoice} showsPayments showsMarks={false} />
            </span>
          </li>
        ))}
    </ul>
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
