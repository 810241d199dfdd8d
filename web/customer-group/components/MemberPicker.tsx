import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { Link } from 'react-router';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { customerSearchQuery, customersQuery } from '../../customer/customer.queries.ts';
import { paths } from '../../paths.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Card } from '../../ui/Surface.tsx';
import styles from './GroupForm.module.css';

const PAGE_SIZE = 50;
const FOUND_AT_MOST = 100;

interface MemberPickerProps {
  readonly selected: readonly number[];
  readonly onChange: (customerNumbers: number[]) => void;
}

/** Who is in the group: every customer with a box to tick, fifty at a time. */
export function MemberPicker({ selected, onChange }: MemberPickerProps) {
  const [text, setText] = useState('');
  const [onlyMembers, setOnlyMembers] = useState(false);
  const query = useDebounced(text.trim());
  const all = useQuery(customersQuery());
  const found = useQuery({ ...customerSearchQuery(query, FOUND_AT_MOST), enabled: query !== '' });
  const shown = query === '' ? all : found;
  const members = useMemo(() => new Set(selected), [selected]);
  const customers = useMemo(
    () =>
      onlyMembers
        ? shown.data?.filter((customer) => members.has(customer.customerNumber))
        : shown.data,
    [onlyMembers, shown.data, members],
  );
  return (
    <Card
      heading="Kunder i gruppen"
      aside={
        <Badge tone="gray">
          {members.size.toLocaleString('nb-NO')} av{' '}
          {(all.data?.length ?? 0).toLocaleString('nb-NO')} kunder
        </Badge>
      }
    >
      <div className={styles.tools}>
        <SearchField
          label="Søk etter kunde"
          placeholder="Søk etter kunde"
          value={text}
          onChange={setText}
        />
        <Checkbox
          label="Vis bare valgte"
          checked={onlyMembers}
          onChange={(event) => setOnlyMembers(event.target.checked)}
        />
      </div>
      {shown.isError && !shown.data ? <LoadFailure onRetry={() => void shown.refetch()} /> : null}
      {shown.isPending ? <Loading /> : null}
      {customers ? (
        <Members
          key={`${query} ${onlyMembers}`}
          customers={customers}
          members={members}
          onChange={onChange}
          empty={all.data?.length === 0 ? <NoCustomers /> : 'Ingen treff.'}
        />
      ) : null}
    </Card>
  );
}

function NoCustomers() {
  return (
    <>
      Du har ingen kunder ennå. <Link to={paths.customerCreate}>Opprett den første kunden</Link>.
    </>
  );
}

interface MembersProps {
  readonly customers: readonly Customer[];
  readonly members: ReadonlySet<number>;
  readonly onChange: (customerNumbers: number[]) => void;
  readonly empty: ReactNode;
}

function Members({ customers, members, onChange, empty }: MembersProps) {
  const [page, setPage] = useState(1);
  const pages = Math.max(1, Math.ceil(customers.length / PAGE_SIZE));
  const current = Math.min(page, pages);
  if (customers.length === 0) return <p className={styles.empty}>{empty}</p>;
  const toggle = (customerNumber: number, isMember: boolean) => {
    const next = new Set(members);
    if (isMember) next.add(customerNumber);
    else next.delete(customerNumber);
    // In one order, so that a tick taken back leaves what was there.
    onChange([...next].toSorted((one, other) => one - other));
  };
  return (
    <>
      <ul>
        {customers.slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE).map((customer) => (
          <li key={customer.customerNumber}>
            <label className={styles.member}>
              <input
                type="checkbox"
                checked={members.has(customer.customerNumber)}
                onChange={(event) => toggle(customer.customerNumber, event.target.checked)}
              />
              <span className={styles.number}>{customer.customerNumber}</span>
              <span className={styles.name}>{customer.name}</span>
            </label>
          </li>
        ))}
      </ul>
      <div className={styles.pager}>
        <Pager page={current} pages={pages} onPage={setPage} />
      </div>
    </>
  );
}
