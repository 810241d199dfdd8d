import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, Link } from 'react-router';
import { type ReactNode, useEffect } from 'react';

import { type Customer, CUSTOMER_NUMBER_MAX } from '../../../domain/customer/customer.schema.ts';
import type { Reachability } from '../../../domain/ehf/ehf.schema.ts';
import { formatDate, todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { sumKroner } from '../../../domain/money.ts';
import { listQuotes } from '../../../domain/quote/quote.endpoints.ts';
import { listAssignments } from '../../../domain/recurring/recurring.endpoints.ts';
import { ask } from '../../lib/client.ts';
import { NotFound, Page, RecordPage } from '../../ui/Page.tsx';
import { paths } from '../../lib/paths.ts';
import { StatementCard } from '../portal/StatementCard.tsx';
import { DependentAssignments } from '../dependents/DependentAssignments.tsx';
import { CreditCard } from '../payment/CreditCard.tsx';
import { RefundedCard } from '../payment/RefundedCard.tsx';
import { Allowed, May } from '../session/Allowed.tsx';
import { useFeature, useSession } from '../session/session.api.ts';
import { Badge, type Label, LabelBadge } from '../../ui/Badge.tsx';
import { DeleteRecord } from '../../forms/DeleteButton.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { Card, LoadFailure } from '../../ui/Surface.tsx';
import { CustomerForm } from '../customer/CustomerForm.tsx';
import {
  customerQuery,
  customerEhfQuery,
  useCreateCustomer,
  useDeleteCustomer,
  useUpdateCustomer,
} from '../customer/customer.api.ts';
import { rowsOf, useWholePages } from '../../ui/NextPage.tsx';
import { showKroner } from '../../lib/number-text.ts';
import { invoicesQuery } from '../invoice/invoice.api.ts';
import { StatusBadge } from '../invoice/StatusBadge.tsx';
import { openInvoicesQuery } from '../payment/payment.api.ts';
import { OwedSums, type Owed } from '../payment/OwedSums.tsx';

/** Returns 0, which no customer has, for an invalid customer number. */
function customerNumberOf(segment: string): number {
  const number = Number(segment);
  return Number.isSafeInteger(number) && number <= CUSTOMER_NUMBER_MAX ? Math.max(number, 0) : 0;
}

/** A new customer, or a change of the one in the address. */
export function CustomerEditPage() {
  const { id } = useParams();
  return id === undefined ? <NewCustomer /> : <StoredCustomer number={customerNumberOf(id)} />;
}

function NewCustomer() {
  const navigate = useNavigate();
  const create = useCreateCustomer();
  return (
    <Page heading="Opprett kunde" width="form">
      <Card>
        <CustomerForm save={create} onSaved={() => void navigate(paths.customers)} />
      </Card>
    </Page>
  );
}

function StoredCustomer({ number: customerNumber }: { number: number }) {
  const hasQuotes = useFeature('quotes');
  const asksNetwork = [useFeature('ehf'), useFeature('einvoice')].includes(true);
  const { session } = useSession();
  const query = useQuery({ ...customerQuery(customerNumber), enabled: customerNumber > 0 });
  if (customerNumber === 0) return <NotFound />;
  return (
    <RecordPage
      heading={query.data?.name ?? 'Kunde'}
      actions={
        <May permission="edit">
          {hasQuotes ? (
            <ButtonLink
              to={`${paths.quoteCreate}?customer=${customerNumber}`}
              icon={<PlusIcon />}
              disabled={session?.isProfileCompleted === false}
            >
              Nytt tilbud
            </ButtonLink>
          ) : null}
          <ButtonLink
            to={paths.invoiceCreateFor(customerNumber)}
            variant="primary"
            icon={<PlusIcon />}
            disabled={session?.isProfileCompleted === false}
          >
            Ny faktura
          </ButtonLink>
        </May>
      }
      aside={
        <>
          <Badge tone="gray">Kundenummer {customerNumber}</Badge>
          {asksNetwork && query.data ? <CustomerEhf customerNumber={customerNumber} /> : null}
        </>
      }
      query={query}
    >
      {(customer) => <CustomerEditor key={customer.customerNumber} customer={customer} />}
    </RecordPage>
  );
}

function CustomerEditor({ customer }: { customer: Customer }) {
  const update = useUpdateCustomer(customer.customerNumber);
  const remove = useDeleteCustomer();
  const kept = useWhyKept(customer);
  const hasStatement = useFeature('portal');
  return (
    <>
      <div className="beside">
        <div className="stack gap-4">
          <CustomerInvoices customerNumber={customer.customerNumber} />
          {hasStatement ? <StatementCard customer={customer} /> : null}
          {customer.credit === undefined ? null : (
            <Allowed permission="payments">
              {customer.credit ? <CreditCard customer={customer} credit={customer.credit} /> : null}
              <RefundedCard customerNumber={customer.customerNumber} />
            </Allowed>
          )}
        </div>
        <Card heading="Endre kunde">
          <CustomerForm customer={customer} save={update} />
        </Card>
      </div>
      <DeleteRecord
        what="kunde"
        remove={remove}
        value={kept ? undefined : customer.customerNumber}
        to={paths.customers}
        noteId={kept ? 'customer-kept' : undefined}
      >
        <p>{`${customer.name} fjernes fra kundelisten og fra gruppene. Fakturaer som er registrert, beholdes.`}</p>
        <DependentAssignments query={{ customerNumber: customer.customerNumber }}>
          {(assignments) => `Kunden er også mottaker i ${assignments}, og tas ut der.`}
        </DependentAssignments>
      </DeleteRecord>
      {kept ? (
        <p id="customer-kept" className="note">
          {kept}
        </p>
      ) : null}
    </>
  );
}

/** Why the customer cannot be deleted now; undefined when it can (CUS-7). */
function useWhyKept({ customerNumber, credit }: Customer): ReactNode {
  const { data: invoices } = useInfiniteQuery(newestQuery(customerNumber));
  const { data: assignments } = useQuery({
    ...ask('recurring', listAssignments, { query: { customerNumber } }),
    enabled: useFeature('recurring'),
  });
  const { data: quotes } = useQuery({
    ...ask('quotes', listQuotes, { query: { customerNumber, state: 'OPEN' } }),
    enabled: useFeature('quotes'),
  });
  if (credit) {
    return `Kunden har ${showKroner(credit)} til gode. Bruk pengene på en faktura eller merk dem som tilbakebetalt først.`;
  }
  const alone = assignments?.find(
    (one) => one.state === 'ACTIVE' && !one.groupUuid && one.customerNumbers.length === 1,
  );
  if (alone) {
    return `Kunden er den eneste mottakeren i det faste oppdraget «${alone.name}». Stopp, endre eller slett oppdraget først.`;
  }
  // Drafts come first in the list.
  const hasDraft = rowsOf(invoices?.pages ?? []).some(({ status }) => status === 'DRAFT');
  if (hasDraft) return 'Kunden har fakturautkast. Slett eller registrer dem først.';
  const [quote] = quotes?.results ?? [];
  if (!quote) return undefined;
  return (
    <>
      Kunden har{' '}
      <Link to={paths.quote(quote.uuid)}>
        {quote.quoteNumber === null ? 'et utkast til tilbud' : `tilbud ${quote.quoteNumber}`}
      </Link>
      , som ikke er avsluttet. Slett det, trekk det tilbake eller fakturer det først.
    </>
  );
}

const LABELS: Readonly<Record<Reachability, Label>> = {
  REACHABLE: { tone: 'green', text: 'Kan motta EHF' },
  NOT_REGISTERED: { tone: 'gray', text: 'Kan ikke motta EHF' },
  FORMAT_UNSUPPORTED: { tone: 'gray', text: 'Kan ikke motta EHF' },
  UNKNOWN: { tone: 'amber', text: 'Ukjent' },
};

/** Shows whether a customer can receive EHF. A failed lookup is shown as unknown, never as no. */
function CustomerEhf({ customerNumber }: { customerNumber: number }) {
  const { data, isPending } = useQuery(customerEhfQuery(customerNumber));
  if (isPending) return <Badge tone="gray">Sjekker EHF …</Badge>;
  const status = data?.status ?? 'UNKNOWN';
  return (
    <span>
      {status === 'UNKNOWN' ? 'EHF: ' : null}
      <LabelBadge label={LABELS[status]} />
    </span>
  );
}

/** Stops fetching here. The sums then cover only these pages. */
const PAGES_AT_MOST = 25;

function CustomerInvoices({ customerNumber }: { customerNumber: number }) {
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

const newestQuery = (customerNumber: number) => invoicesQuery({ query: '', customerNumber });

const LATEST = 5;

/** The newest invoices, whatever their status. */
function Latest({ customerNumber }: { customerNumber: number }) {
  const { data } = useInfiniteQuery(newestQuery(customerNumber));
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
