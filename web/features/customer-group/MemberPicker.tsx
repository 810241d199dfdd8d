import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { customersQuery } from '../customer/customer.api.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { showCount } from '../../lib/count.ts';
import { Checkbox } from '../../ui/Field.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Card } from '../../ui/Surface.tsx';
import { findCustomers } from './find-customers.ts';
import { ChooseAll } from './ChooseAll.tsx';
import styles from './GroupForm.module.css';

interface MemberPickerProps {
  readonly selected: readonly number[];
  readonly onChange: (customerNumbers: number[]) => void;
}

/** Selects the members of a group: every customer with a checkbox, fifty per page. */
export function MemberPicker({ selected, onChange }: MemberPickerProps) {
  const [text, setText] = useState('');
  const [onlyMembers, setOnlyMembers] = useState(false);
  const query = useDebounced(text.trim());
  const customers = useQuery(customersQuery);
  const count = customers.data?.length;
  const members = useMemo(() => new Set(selected), [selected]);
  return (
    <Card
      heading="Kunder i gruppen"
      aside={
        <Badge tone="gray">
          {showCount(members.size)} av {showCount(count ?? 0)} kunder
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
      <Fetched query={customers}>
        {(all) =>
          all.length === 0 ? (
            <p className={styles.empty}>
              <NoCustomers />
            </p>
          ) : (
            <Members
              key={`${query} ${onlyMembers}`}
              customers={all}
              query={query}
              onlyMembers={onlyMembers}
              members={members}
              onChange={onChange}
            />
          )
        }
      </Fetched>
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
  /** All customers, since members may be on other pages. */
  readonly customers: readonly Customer[];
  readonly query: string;
  readonly onlyMembers: boolean;
  readonly members: ReadonlySet<number>;
  readonly onChange: (customerNumbers: number[]) => void;
}

function Members({ customers, query, onlyMembers, members, onChange }: MembersProps) {
  const [page, setPage] = useState(1);
  const hits = useMemo(() => findCustomers(customers, query), [customers, query]);
  const listed = onlyMembers
    ? hits.filter(({ customerNumber }) => members.has(customerNumber))
    : hits;
  // Sorted, so that selecting and deselecting a customer restores the same value and the form is not dirty.
  const choose = (next: Iterable<number>) =>
    onChange([...next].toSorted((one, other) => one - other));
  const toggle = (customerNumber: number, isMember: boolean) => {
    const next = new Set(members);
    if (isMember) next.add(customerNumber);
    else next.delete(customerNumber);
    choose(next);
  };
  return (
    <>
      <ChooseAll hits={hits} isSearch={query !== ''} members={members} onChoose={choose} />
      {listed.length === 0 ? (
        <p className={styles.empty}>{query === '' ? 'Ingen er valgt.' : 'Ingen treff.'}</p>
      ) : (
        <MemberList {...{ page, members, toggle }} customers={listed} onPage={setPage} />
      )}
    </>
  );
}

interface MemberListProps {
  readonly customers: readonly Customer[];
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly members: ReadonlySet<number>;
  readonly toggle: (customerNumber: number, isMember: boolean) => void;
}

function MemberList({ customers, page, onPage, members, toggle }: MemberListProps) {
  return (
    <Pages items={customers} page={page} onPage={onPage}>
      {(shown) => (
        <ul className={styles.members}>
          {shown.map((customer) => (
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
      )}
    </Pages>
  );
}
