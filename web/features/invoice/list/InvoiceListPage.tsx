import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';

import { May } from '../../session/Allowed.tsx';
import { formatDate, type IsoDate } from '../../../../domain/date.ts';
import type { InvoicePage } from '../../../../domain/invoice/invoice-list.schema.ts';
import { canChange } from '../../../../domain/invoice/invoice.status.ts';
import { einvoiceSettingsQuery } from '../../einvoice/einvoice.api.ts';
import { customerQuery } from '../../customer/customer.api.ts';
import { profileQuery } from '../../profile/profile.api.ts';
import { useCan, useFeature, useSession } from '../../session/session.api.ts';
import { Card, LoadFailure, PageSkeleton } from '../../../ui/Surface.tsx';
import { IncompleteProfile } from '../../profile/IncompleteProfile.tsx';
import { NextPage, rowsOf } from '../../../ui/NextPage.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { pageIn, useAddress } from '../../../lib/useAddress.ts';
import { EmptyInvoices, NoneFound } from './EmptyInvoices.tsx';
import { InvoiceFilters } from './InvoiceFilters.tsx';
import { InvoiceTable, ListedInvoices } from './InvoiceTable.tsx';
import { ListFigures, useRegistering } from './RegisterBar.tsx';
import { type InvoiceFilter, invoicesQuery } from '../invoice.api.ts';
import { useIsWide } from '../../../ui/useIsWide.ts';
import { useCanChoose } from './selection.tsx';
import { type ListView, useListView } from './useListView.ts';
import { laterCode } from '../../../lib/later-code.ts';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import { paths } from '../../../lib/paths.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';

/** The most pages to fetch when the user returns to the list. */
const PAGES_AT_ONCE = 25;

export function InvoiceListPage() {
  const [search] = useSearchParams();
  const view = useListView();
  const { session } = useSession();
  const profile = useQuery(profileQuery);
  const list = useInfiniteQuery(invoicesQuery(view.filter));
  useAddress({ ...view.address, page: list.data?.pages.length });
  useFetchUntil(list, Math.min(pageIn(search), PAGES_AT_ONCE));
  const summary = list.data?.pages.at(-1)?.summary;
  // The session also has this flag, and arrives first.
  const incomplete = (profile.data ?? session)?.isProfileCompleted === false;
  // 'Kom i gang' says it then.
  const isNew = list.data?.pages[0]?.results.length === 0 && !view.isFiltered;
  // The first rows are many: a deferred render keeps the browser responsive.
  const banner = useBanner();
  const isReady = useDeferredValue(
    (list.data !== undefined || list.isError) && banner !== undefined,
  );
  // On a phone the buttons stand first in the row of acts.
  const isWide = useIsWide('40em');
  const registering = useRegistering(summary, session?.isStaff === true, isWide);
  const frame = {
    heading: 'Fakturaer',
    actions: <ListActions incomplete={incomplete} />,
    furtherActions: (
      <>
        {isWide ? null : registering.buttons}
        <PlannedActions filter={view.filter} />
      </>
    ),
    dense: true,
  };
  // Shows all parts at once, so that no late part pushes the rest down. The session says which there are.
  if (!session) return <PageSkeleton />;
  if (!isReady) {
    return (
      <Page {...frame}>
        <ListFigures summary={undefined}>{isWide ? registering.buttons : null}</ListFigures>
        <TableOutline />
      </Page>
    );
  }
  return (
    <Page {...frame}>
      {incomplete && !isNew ? <IncompleteProfile /> : null}
      {banner}
      <ListFigures
        summary={summary}
        onStatus={view.showOnly}
        notArrived={view.filter.status === 'FAILED' ? 0 : summary?.failed}
      >
        {isWide ? registering.buttons : null}
      </ListFigures>
      {registering.outcome}
      <Invoices {...{ list, view, incomplete }} />
    </Page>
  );
}

const bannerCode = laterCode(async () => import('../../einvoice/EInvoiceBanner.tsx'));

/** Tells of the law of 2027; null where there is nothing to tell, undefined until it is known, so that it pushes nothing down. */
function useBanner(): ReactNode {
  const { session } = useSession();
  const isOn = useFeature('einvoice');
  const canAct = useCan('profile');
  const isShown = isOn && canAct;
  const { data, isError } = useQuery({ ...einvoiceSettingsQuery, enabled: isShown });
  const [isLost, setLost] = useState(false);
  const isNeeded = data?.banner != null;
  const code = useLaterCode(bannerCode, {
    isNeeded,
    what: 'Varselet',
    onFailure: () => setLost(true),
  });
  if (!session) return undefined;
  if (!isShown || isError || isLost || data?.banner === null) return null;
  return code && data ? <code.EInvoiceBanner /> : undefined;
}

type ListQuery = UseInfiniteQueryResult<InfiniteData<InvoicePage>>;

/** Fetches pages until there are as many as the URL asks for. */
function useFetchUntil(list: ListQuery, wanted: number) {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const [isDone, setDone] = useState(wanted === 1);
  const isMissing = (data?.pages.length ?? 0) < wanted && hasNextPage && !isError;
  if (data && !isDone && !isMissing) setDone(true);
  useEffect(() => {
    if (data && !isDone && isMissing && !isFetching) void fetchNextPage();
  }, [data, isDone, isMissing, isFetching, fetchNextPage]);
}

function TableOutline() {
  return (
    <Card flush>
      <InvoiceTable invoices={undefined} sort={undefined} />
    </Card>
  );
}

interface InvoicesProps {
  readonly list: ListQuery;
  readonly view: ListView;
  readonly incomplete: boolean;
}

function Invoices({ list, view, incomplete }: InvoicesProps) {
  const [isSelecting, setSelecting] = useState(false);
  const invoices = list.data && rowsOf(list.data.pages);
  const { filter, isFiltered } = view;
  const { customerNumber, from, to, dueFrom, dueTo } = filter;
  const { data: customer } = useQuery({
    ...customerQuery(customerNumber ?? 0),
    enabled: customerNumber !== undefined,
  });
  const canChoose = useCanChoose();
  const mayChoose = canChoose && invoices?.some(canChange);
  const isEmpty = invoices?.length === 0;
  // The rows that were registered may have left the list before their bar was told that it is done.
  if (isSelecting && isEmpty) setSelecting(false);
  // Placeholder data is the previous list, so it does not show whether this one is empty.
  const isKnown = !list.isPlaceholderData;
  return (
    <>
      {isFiltered || !isEmpty ? (
        <InvoiceFilters
          view={view}
          found={isFiltered && isKnown ? list.data?.pages[0]?.count : undefined}
          isSelecting={mayChoose ? isSelecting : undefined}
          onSelecting={setSelecting}
        />
      ) : null}
      <Narrowed
        label="Fakturaer til"
        to={customerNumber === undefined ? '' : (customer?.name ?? `kunde ${customerNumber}`)}
        onRemove={() => view.setCustomerNumber(undefined)}
      />
      <Narrowed label="Fakturadato" to={daysText(from, to)} onRemove={view.forgetDays} />
      <Narrowed label="Forfall" to={daysText(dueFrom, dueTo)} onRemove={view.forgetDays} />
      {!invoices ? <LoadFailure onRetry={() => void list.refetch()} /> : null}
      {invoices && invoices.length > 0 ? (
        <ListedInvoices {...{ invoices, view, isSelecting, setSelecting }} />
      ) : null}
      {isEmpty && !isKnown ? <TableOutline /> : null}
      {isEmpty && isKnown && isFiltered ? (
        <NoneFound status={view.onlyStatus} onAll={view.showAll} />
      ) : null}
      {isEmpty && isKnown && !isFiltered ? <EmptyInvoices incomplete={incomplete} /> : null}
      <NextPage list={list} className="row centred" />
    </>
  );
}

interface NarrowedProps {
  readonly label: string;
  /** Empty where it has all. */
  readonly to: string;
  readonly onRemove: () => void;
}

/** Shows that the list has the invoices of a customer or of some days only. */
function Narrowed({ label, to, onRemove }: NarrowedProps) {
  if (to === '') return null;
  return (
    <p className="row gap-2 soft">
      {label}
      <Tag label={to} onRemove={onRemove} />
    </p>
  );
}

function daysText(from: IsoDate | undefined, to: IsoDate | undefined): string {
  return [from && `fra ${formatDate(from)}`, to && `til ${formatDate(to)}`]
    .filter(Boolean)
    .join(' ');
}

function ListActions({ incomplete }: { incomplete: boolean }) {
  return (
    <>
      <ButtonLink to={paths.templates} disabled={incomplete}>
        Maler
      </ButtonLink>
      <May permission="edit">
        <ButtonLink
          to={paths.invoiceCreate()}
          variant="primary"
          icon={<PlusIcon />}
          disabled={incomplete}
        >
          Lag ny
        </ButtonLink>
      </May>
    </>
  );
}

/** Further actions; those that do not exist yet, or are turned off, are disabled or hidden. */
function PlannedActions({ filter }: { filter: InvoiceFilter }) {
  const exports = useFeature('export');
  const canExport = useCan('export');
  const canShare = useCan('members');
  const shares = useFeature('overview');
  const hasRecurring = useFeature('recurring');
  const hasReminders = useFeature('reminders');
  return (
    <>
      {hasReminders ? (
        <ButtonLink to={paths.reminderProposals}>Forslag til purringer</ButtonLink>
      ) : null}
      {hasRecurring ? <ButtonLink to={paths.assignments}>Fast oppdrag</ButtonLink> : null}
      {shares && canShare ? <ButtonLink to={paths.overviewShare}>Del oversikt</ButtonLink> : null}
      {exports && canExport ? <ButtonLink to={exportPath(filter)}>Eksporter</ButtonLink> : null}
      {hasRecurring ? null : <Planned>Fast oppdrag</Planned>}
      {exports ? null : <Planned>Eksporter</Planned>}
      {shares ? null : <Planned>Del oversikt</Planned>}
    </>
  );
}

/** An export has no days of payment: without them its filter would find other invoices. */
function exportPath(wanted: InvoiceFilter): string {
  const { status, query, customerNumber, from, to, dueFrom, dueTo } = wanted;
  if (dueFrom || dueTo) return paths.exports();
  const filter = new URLSearchParams();
  if (status) filter.set('status', status);
  if (query) filter.set('query', query);
  if (customerNumber) filter.set('customer_number', String(customerNumber));
  if (from) filter.set('from', from);
  if (to) filter.set('to', to);
  return paths.exports(String(filter));
}

function Planned({ children }: { children: string }) {
  return (
    <Button variant="quiet" disabled>
      {children}
    </Button>
  );
}
