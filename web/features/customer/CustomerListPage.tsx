import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { May } from '../session/Allowed.tsx';
import { useCan, useFeature, useSession } from '../session/session.api.ts';
import { EhfCheck } from '../einvoice/EhfCheck.tsx';
import { customersEhfQuery } from '../einvoice/einvoice.api.ts';
import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { readableEmail } from '../../../domain/email.ts';
import { formatOrgNumber } from '../../../domain/parties.ts';
import { countOf } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { LayersIcon, PeopleIcon, UploadIcon } from '../../ui/icons.tsx';
import { PageSkeleton } from '../../ui/Surface.tsx';
import { ListPage, useListSearch } from '../../ui/ListPage.tsx';
import { editColumn, type ListColumn } from '../../ui/ListTable.tsx';
import { FOUND_AT_MOST, useCustomers } from './customer.api.ts';

/** @param withEhf the numbers of the customers who can receive EHF */
function columnsWith(withEhf: ReadonlySet<number>): readonly ListColumn<Customer>[] {
  return [
    {
      heading: 'ID',
      width: '88px',
      numeric: true,
      outline: '32px',
      cell: ({ customerNumber }) => customerNumber,
    },
    {
      heading: 'Navn',
      kind: 'main',
      outline: '180px',
      path: ({ customerNumber }) => paths.customerEdit(customerNumber),
      cell: ({ name, customerNumber }) =>
        withEhf.has(customerNumber) ? (
          <>
            {name} <Badge tone="green">EHF</Badge>
          </>
        ) : (
          name
        ),
    },
    {
      heading: 'E-post',
      kind: 'below',
      outline: '160px',
      cell: ({ email }) => readableEmail(email ?? ''),
    },
    {
      heading: 'Organisasjonsnummer',
      width: '200px',
      numeric: true,
      outline: '96px',
      cell: ({ orgNumber }) => (orgNumber ? formatOrgNumber(orgNumber) : null),
    },
    editColumn(
      ({ customerNumber }) => paths.customerEdit(customerNumber),
      ({ name }) => name,
      'Handlinger',
    ),
  ];
}

export function CustomerListPage() {
  const search = useListSearch();
  const { customers, count } = useCustomers(search.query);
  const { session } = useSession();
  const canEdit = useCan('edit');
  const hasEInvoice = useFeature('einvoice');
  const { data: ehf } = useQuery({ ...customersEhfQuery, enabled: hasEInvoice });
  const withEhf = new Set(
    ehf?.flatMap(({ customerNumber, status }) => (status === 'REACHABLE' ? [customerNumber] : [])),
  );
  // The session says what stands above the list, and would push it down.
  if (!session) return <PageSkeleton />;
  return (
    <ListPage
      heading="Kunder"
      count={count === undefined ? undefined : countOf(count, 'kunde', 'kunder')}
      actions={
        <>
          <ButtonLink to={paths.groups} icon={<LayersIcon />}>
            Kundegrupper
          </ButtonLink>
          <May permission="edit">
            <ButtonLink to={paths.customerImport} icon={<UploadIcon />}>
              Importer
            </ButtonLink>
          </May>
        </>
      }
      create={{
        to: canEdit ? paths.customerCreate : undefined,
        label: 'Ny kunde',
        firstLabel: 'Opprett den første kunden',
      }}
      query={customers}
      search={{
        ...search,
        label: 'Søk etter kunde',
        placeholder: 'Søk på navn, nummer, e-post eller organisasjonsnummer',
        what: 'kunder',
        isShown: count !== 0,
        note:
          search.query !== '' && customers.data?.length === FOUND_AT_MOST ? (
            <p className="aside">
              Bare de {FOUND_AT_MOST} første treffene vises. Skriv mer for å finne andre.
            </p>
          ) : null,
      }}
      notice={hasEInvoice && count !== 0 ? <EhfCheck /> : null}
      columns={columnsWith(withEhf)}
      keyOf={({ customerNumber }) => customerNumber}
      short
      empty={{
        icon: <PeopleIcon />,
        title: 'Ingen kunder ennå',
        text: (
          <>
            Legg inn dem du skal sende fakturaer til. Et organisasjonsnummer er nok til å hente navn
            og adresse. Har du en liste fra før, kan du{' '}
            <Link to={paths.customerImport}>importere den</Link>.
          </>
        ),
      }}
    />
  );
}
