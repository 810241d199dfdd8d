import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { paths } from '../../paths.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { LayersIcon, PeopleIcon, PlusIcon, SearchIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Card, EmptyState } from '../../ui/Surface.tsx';
import { pageIn, useAddress } from '../../ui/useAddress.ts';
import { CustomerTable } from '../components/CustomerTable.tsx';
import { customerSearchQuery, customersQuery } from '../customer.queries.ts';

const PAGE_SIZE = 50;
const FOUND_AT_MOST = 100;

export function CustomerListPage() {
  const { key } = useLocation();
  // Each arrival begins with what its address says.
  return <CustomerList key={key} />;
}

function CustomerList() {
  const [search] = useSearchParams();
  const [text, setText] = useState(search.get('query') ?? '');
  const [page, setPage] = useState(pageIn(search));
  const query = useDebounced(text.trim());
  useAddress({ query, page });
  const all = useQuery(customersQuery());
  const found = useQuery({
    ...customerSearchQuery(query, FOUND_AT_MOST),
    enabled: query !== '',
  });
  const shown = query === '' ? all : found;
  const count = all.data?.length;
  return (
    <Page
      heading="Kunder"
      aside={count === undefined ? null : <CustomerCount count={count} />}
      actions={
        <>
          <ButtonLink to={paths.groups} icon={<LayersIcon />}>
            Kundegrupper
          </ButtonLink>
          <ButtonLink to={paths.customerCreate} variant="primary" icon={<PlusIcon />}>
            Ny kunde
          </ButtonLink>
        </>
      }
    >
      {count === 0 ? null : (
        <SearchField
          label="Søk etter kunde"
          placeholder="Søk på navn, nummer, e-post eller organisasjonsnummer"
          value={text}
          onChange={(next) => {
            setText(next);
            setPage(1);
          }}
        />
      )}
      {shown.isError && !shown.data ? (
        <LoadFailure onRetry={() => void shown.refetch()} />
      ) : (
        <CustomerPages customers={shown.data} query={query} page={page} onPage={setPage} />
      )}
    </Page>
  );
}

function CustomerCount({ count }: { count: number }) {
  return (
    <Badge tone="gray">{count === 1 ? '1 kunde' : `${count.toLocaleString('nb-NO')} kunder`}</Badge>
  );
}

interface CustomerPagesProps {
  readonly customers: readonly Customer[] | undefined;
  readonly query: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Fifty rows at a time: five thousand at once would make every key press slow. */
function CustomerPages({ customers, query, page: asked, onPage }: CustomerPagesProps) {
  if (customers?.length === 0) return <NoCustomers query={query} />;
  const pages = Math.ceil((customers?.length ?? 0) / PAGE_SIZE);
  const page = Math.max(1, Math.min(asked, pages));
  return (
    <>
      <Card flush>
        <CustomerTable customers={customers?.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} />
      </Card>
      <Pager page={page} pages={pages} onPage={onPage} />
    </>
  );
}

function NoCustomers({ query }: { query: string }) {
  return (
    <Card>
      {query === '' ? (
        <EmptyState
          icon={<PeopleIcon size={28} />}
          title="Ingen kunder ennå"
          action={
            <ButtonLink to={paths.customerCreate} variant="primary" icon={<PlusIcon />}>
              Opprett den første kunden
            </ButtonLink>
          }
        >
          Legg inn dem du skal sende fakturaer til. Et organisasjonsnummer er nok til å hente navn
          og adresse.
        </EmptyState>
      ) : (
        <EmptyState icon={<SearchIcon size={28} />} title="Ingen treff">
          Ingen kunder passer til «{query}».
        </EmptyState>
      )}
    </Card>
  );
}
