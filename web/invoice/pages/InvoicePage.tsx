import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';

import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { hasStatus } from '../../api/api-error.ts';
import { HistoryCard } from '../../history/components/HistoryCard.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { paths } from '../../paths.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import { DeleteInvoice } from '../components/DeleteInvoice.tsx';
import { DeliveryCard } from '../components/DeliveryCard.tsx';
import { InvoiceActions } from '../components/InvoiceActions.tsx';
import { InvoiceSkeleton } from '../components/InvoiceSkeleton.tsx';
import { InvoiceSummary } from '../components/InvoiceSummary.tsx';
import { InvoiceSums } from '../components/InvoiceSums.tsx';
import { LineTable } from '../components/LineTable.tsx';
import { historyQuery, invoiceQuery } from '../invoice.queries.ts';
import { draftTotals } from '../line-sums.ts';

export function InvoicePage() {
  const id = useParams()['id'] ?? '';
  const query = useQuery(invoiceQuery(id));
  const { data, error } = query;
  if (!data && hasStatus(error, 404)) return <NotFound />;
  return (
    <Page
      heading={data ? headingOf(data) : 'Faktura'}
      actions={data ? <InvoiceActions invoice={data} /> : null}
    >
      <Fetched query={query} pending={<InvoiceSkeleton />}>
        {(invoice) => <InvoiceView invoice={invoice} />}
      </Fetched>
    </Page>
  );
}

function headingOf({ kind, invoiceNumber }: Invoice): string {
  if (invoiceNumber === null) return 'Utkast til faktura';
  return `${kind === 'CREDIT_NOTE' ? 'Kreditnota' : 'Faktura'} ${invoiceNumber}`;
}

function InvoiceView({ invoice }: { invoice: Invoice }) {
  return (
    <>
      <Correction invoice={invoice} />
      <InvoiceSummary invoice={invoice} />
      <DeliveryCard invoice={invoice} />
      <Card flush heading="Linjer">
        <LineTable
          lines={invoice.lines}
          footer={
            <InvoiceSums totals={draftTotals(invoice.lines)} totalLabel={totalLabelOf(invoice)} />
          }
        />
      </Card>
      <InvoiceHistory key={invoice.uuid} invoice={invoice} />
      <DeleteInvoice invoice={invoice} />
    </>
  );
}

function InvoiceHistory({ invoice }: { invoice: Invoice }) {
  return <HistoryCard query={useQuery(historyQuery(invoice))} />;
}

function totalLabelOf({ kind, status }: Invoice): string {
  if (kind === 'CREDIT_NOTE' || status === 'CANCELLED') return 'Kreditert';
  return status === 'PAID' ? 'Betalt' : 'Å betale';
}

/** The link between an invoice and the credit note that cancelled it. */
function Correction({ invoice: { creditNote, creditedInvoice } }: { invoice: Invoice }) {
  if (creditNote) {
    return (
      <Alert tone="info">
        Kansellert med{' '}
        <Link to={paths.invoice(creditNote.invoiceNumber)}>
          kreditnota {creditNote.invoiceNumber}
        </Link>
        .
      </Alert>
    );
  }
  if (creditedInvoice) {
    return (
      <Alert tone="info">
        Krediterer{' '}
        <Link to={paths.invoice(creditedInvoice.invoiceNumber)}>
          faktura {creditedInvoice.invoiceNumber}
        </Link>
        .
      </Alert>
    );
  }
  return null;
}
