import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { countOf } from '../../lib/count.ts';
import { Fetched } from '../../ui/Fetched.tsx';
import { LayersIcon, PeopleIcon, PlusIcon, SearchIcon, UploadIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Card, EmptyState } from '../../ui/Surface.tsx';
import { pageIn, useAddress } from '../../lib/useAddress.ts';
import { CustomerTable } from './CustomerTable.tsx';
import { useCustomers } from './customer.api.ts';

export function CustomerListPage() {
  const { key } = useLocation();
  // Remounts for each visit, so that search and page are read from the address.
  return <CustomerList key={key} />;
}

function CustomerList() {
  const [search] = useSearchParams();
  const [text, setText] = useState(search.get('query') ?? '');
  const [page, setPage] = useState(pageIn(search));
  const query = useDebounced(text.trim());
  useAddress({ query, page });
  const { customers, count } = useCustomers(query);
  return (
    <Page
      heading="Kunder"
      aside={count === undefined ? null : <CustomerCount count={count} />}
      actions={
        <>
          <ButtonLink to={paths.groups} icon={<LayersIcon />}>
            Kundegrupper
          </ButtonLink>
          <ButtonLink to={paths.customerImport} icon={<UploadIcon />}>
            Importer
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
          found={query === '' || customers.isPlaceholderData ? undefined : customers.data?.length}
        />
      )}
      <Fetched query={customers} pending={<CustomerRows customers={undefined} />}>
        {(found) =>
          found.length === 0 ? (
            // An empty result of the previous search says nothing about this one.
            customers.isPlaceholderData ? (
              <CustomerRows customers={undefined} />
            ) : (
              <NoCustomers query={query} />
            )
          ) : (
            <Pages items={found} page={page} onPage={setPage}>
              {(shown) => <CustomerRows customers={shown} />}
            </Pages>
          )
        }
      </Fetched>
    </Page>
  );
}

function CustomerCount({ count }: { count: number }) {
  return <Badge tone="gray">{countOf(count, 'kunde', 'kunder')}</Badge>;
}

function CustomerRows({ customers }: { customers: readonly Customer[] | undefined }) {
  return (
    <Card flush>
      <CustomerTable customers={customers} />
    </Card>
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
          og adresse. Har du en liste fra før, kan du{' '}
          <Link to={paths.customerImport}>importere den</Link>.
        </EmptyState>
      ) : (
        <EmptyState icon={<SearchIcon size={28} />} title="Ingen treff">
          Ingen kunder passer til «{query}».
        </EmptyState>
      )}
    </Card>
  );
}
