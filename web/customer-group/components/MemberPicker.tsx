import { useMemo, useState, type ReactNode } from 'react';
import { Link } from 'react-router';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { useCustomers } from '../../customer/customer.queries.ts';
import { paths } from '../../paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Card } from '../../ui/Surface.tsx';
import styles from './GroupForm.module.css';

interface MemberPickerProps {
  readonly selected: readonly number[];
  readonly onChange: (customerNumbers: number[]) => void;
}

/** Who is in the group: every customer with a box to tick, fifty at a time. */
export function MemberPicker({ selected, onChange }: MemberPickerProps) {
  const [text, setText] = useState('');
  const [onlyMembers, setOnlyMembers] = useState(false);
  const query = useDebounced(text.trim());
  const { customers, count } = useCustomers(query);
  const members = useMemo(() => new Set(selected), [selected]);
  const isMember = ({ customerNumber }: Customer) => members.has(customerNumber);
  return (
    <Card
      heading="Kunder i gruppen"
      aside={
        <Badge tone="gray">
          {members.size.toLocaleString('nb-NO')} av {(count ?? 0).toLocaleString('nb-NO')} kunder
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
        {(found) => (
          <Members
            key={`${query} ${onlyMembers}`}
            customers={onlyMembers ? found.filter(isMember) : found}
            members={members}
            onChange={onChange}
            empty={count === 0 ? <NoCustomers /> : 'Ingen treff.'}
          />
        )}
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
  readonly customers: readonly Customer[];
  readonly members: ReadonlySet<number>;
  readonly onChange: (customerNumbers: number[]) => void;
  readonly empty: ReactNode;
}

function Members({ customers, members, onChange, empty }: MembersProps) {
  const [page, setPage] = useState(1);
  if (customers.length === 0) return <p className={styles.empty}>{empty}</p>;
  const toggle = (customerNumber: number, isMember: boolean) => {
    const next = new Set(members);
    if (isMember) next.add(customerNumber);
    else next.delete(customerNumber);
    // In one order, so that a tick taken back leaves what was there.
    onChange([...next].toSorted((one, other) => one - other));
  };
  return (
    <Pages items={customers} page={page} onPage={setPage}>
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
