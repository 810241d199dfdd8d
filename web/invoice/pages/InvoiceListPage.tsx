import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';

import { LISTED_STATUSES, type InvoicePage } from '../../../domain/invoice/invoice-list.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { INVOICE_STATUSES } from '../../../domain/invoice/invoice.status.ts';
import { paths } from '../../paths.ts';
import { PaymentDialog } from '../../payment/components/PaymentDialog.tsx';
import { profileQuery } from '../../profile/profile.queries.ts';
import { useFeature, useSession } from '../../session/session.queries.ts';
import { Alert, LoadFailure } from '../../ui/Alert.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { PlusIcon, SearchIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { useDebounced } from '../../ui/SearchField.tsx';
import { Card, EmptyState } from '../../ui/Surface.tsx';
import { pageIn, useAddress } from '../../ui/useAddress.ts';
import { EmptyInvoices } from '../components/EmptyInvoices.tsx';
import { InvoiceFilters } from '../components/InvoiceFilters.tsx';
import { InvoiceTable } from '../components/InvoiceTable.tsx';
import { OwedSums } from '../components/OwedSums.tsx';
import { RegisterBar } from '../components/RegisterBar.tsx';
import { invoicesQuery } from '../invoice.queries.ts';
import styles from './InvoiceListPage.module.css';

/** The most pages to fetch at once for somebody who comes back. */
const PAGES_AT_ONCE = 25;

export function InvoiceListPage() {
  const { key } = useLocation();
  // Each visit starts with the search and the pages that its address names.
  return <InvoiceList key={key} />;
}

function InvoiceList() {
  const [search] = useSearchParams();
  const [text, setText] = useState(search.get('query') ?? '');
  const hasPayments = useFeature('payments');
  const offered = hasPayments ? LISTED_STATUSES : INVOICE_STATUSES;
  const [chosen, setStatus] = useState(LISTED_STATUSES.find((one) => one === search.get('status')));
  const status = offered.find((one) => one === chosen);
  const query = useDebounced(text.trim());
  const { session } = useSession();
  const profile = useQuery(profileQuery);
  const list = useInfiniteQuery(invoicesQuery({ query, status }));
  useAddress({ query, status, page: list.data?.pages.length });
  useFetchUntil(list, Math.min(pageIn(search), PAGES_AT_ONCE));
  const summary = list.data?.pages.at(-1)?.summary;
  const invoices = list.data?.pages.flatMap((page) => page.results);
  // The session has it too, and is fetched first.
  const incomplete = (profile.data ?? session)?.isProfileCompleted === false;
  const filtered = query !== '' || status !== undefined;
  const actions = <ListActions incomplete={incomplete} />;
  // Shown all at once, so that no part pushes the rest down the page.
  if (!session || (!list.data && !list.isError)) {
    return (
      <Page heading="Fakturaer" actions={actions}>
        <Outline hasPayments={hasPayments} />
      </Page>
    );
  }
  return (
    <Page heading="Fakturaer" actions={actions}>
      {incomplete ? <IncompleteProfile /> : null}
      {summary && summary.drafts > 0 ? <Drafts count={summary.drafts} /> : null}
      <RegisterBar summary={summary} isStaff={session.isStaff}>
        {hasPayments ? <OwedSums summary={summary} onStatus={setStatus} /> : null}
      </RegisterBar>
      {filtered || invoices?.length !== 0 ? (
        <InvoiceFilters
          text={text}
          onText={setText}
          offered={offered}
          status={status}
          onStatus={setStatus}
        />
      ) : null}
      {invoices ? (
        <Invoices invoices={invoices} filtered={filtered} incomplete={incomplete} />
      ) : (
        <LoadFailure onRetry={() => void list.refetch()} />
      )}
      {list.isFetchNextPageError ? <LoadFailure onRetry={() => void list.fetchNextPage()} /> : null}
      {list.hasNextPage && !list.isFetchNextPageError ? (
        <div className={styles.more}>
          <Button pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Hent flere
          </Button>
        </div>
      ) : null}
    </Page>
  );
}

/** Fetches pages until there are as many as the address names. */
function useFetchUntil(list: UseInfiniteQueryResult<InfiniteData<InvoicePage>>, wanted: number) {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const [isDone, setDone] = useState(wanted === 1);
  const isMissing = (data?.pages.length ?? 0) < wanted && hasNextPage && !isError;
  if (data && !isDone && !isMissing) setDone(true);
  useEffect(() => {
    if (data && !isDone && isMissing && !isFetching) void fetchNextPage();
  }, [data, isDone, isMissing, isFetching, fetchNextPage]);
}

/** The screen while its data is fetched. */
function Outline({ hasPayments }: { hasPayments: boolean }) {
  return (
    <>
      <RegisterBar summary={undefined} isStaff={false}>
        {hasPayments ? <OwedSums summary={undefined} /> : null}
      </RegisterBar>
      <Card flush>
        <InvoiceTable invoices={undefined} hasPayments={hasPayments} hasReminders={false} />
      </Card>
    </>
  );
}

function ListActions({ incomplete }: { incomplete: boolean }) {
  const hasRecurring = useFeature('recurring');
  const hasReminders = useFeature('reminders');
  return (
    <>
      <ButtonLink
        to={paths.invoiceCreate()}
        variant="primary"
        icon={<PlusIcon />}
        disabled={incomplete}
      >
        Lag ny
      </ButtonLink>
      <ButtonLink to={paths.templates} disabled={incomplete}>
        Maler
      </ButtonLink>
      {hasReminders ? (
        <ButtonLink to={paths.reminderProposals}>Forslag til purringer</ButtonLink>
      ) : null}
      {hasRecurring ? (
        <ButtonLink to={paths.assignments}>Fast oppdrag</ButtonLink>
      ) : (
        <Button disabled>Fast oppdrag</Button>
      )}
      <Button disabled>Eksporter</Button>
      <Button disabled>Del oversikt</Button>
    </>
  );
}

function IncompleteProfile() {
  return (
    <Alert tone="warning" title="Profilen er ikke fullført">
      <Link to={paths.profile}>Fullfør profilen</Link> før du kan lage fakturaer.
    </Alert>
  );
}

function Drafts({ count }: { count: number }) {
  return (
    <Alert tone="info">
      {count === 1
        ? 'Du har ett utkast som ikke er registrert og sendt.'
        : `Du har ${count.toLocaleString('nb-NO')} utkast som ikke er registrert og sendt.`}
    </Alert>
  );
}

/** The invoices, of which one may be paid. */
function PayableInvoices({ invoices }: { invoices: readonly Invoice[] }) {
  const hasPayments = useFeature('payments');
  const hasReminders = useFeature('reminders');
  const [paying, setPaying] = useState<Invoice>();
  // As it is by now, or was when it was in the list.
  const payable = invoices.find(({ uuid }) => uuid === paying?.uuid) ?? paying;
  return (
    <Card flush>
      <InvoiceTable
        invoices={invoices}
        hasPayments={hasPayments}
        hasReminders={hasReminders}
        onPay={hasPayments ? setPaying : undefined}
      />
      {hasPayments ? (
        <PaymentDialog invoice={paying && payable} onClose={() => setPaying(undefined)} />
      ) : null}
    </Card>
  );
}

interface InvoicesProps {
  readonly invoices: readonly Invoice[];
  readonly filtered: boolean;
  readonly incomplete: boolean;
}

function Invoices({ invoices, filtered, incomplete }: InvoicesProps) {
  if (invoices.length > 0) return <PayableInvoices invoices={invoices} />;
  if (!filtered) return <EmptyInvoices incomplete={incomplete} />;
  return (
    <Card>
      <EmptyState icon={<SearchIcon size={28} />} title="Ingen treff">
        Ingen fakturaer passer til søket.
      </EmptyState>
    </Card>
  );
}
