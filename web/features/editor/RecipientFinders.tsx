import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';

import { readableEmail } from '../../../domain/email.ts';
import { customerSearchQuery } from '../customer/customer.api.ts';
import { customerGroupSearchQuery } from '../customer-group/customer-group.api.ts';
import { Fetched } from '../../ui/Fetched.tsx';
import { CheckIcon, PlusIcon } from '../../ui/icons.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import { groupSize, type ChosenCustomer, type ChosenGroup } from './recipients.ts';
import styles from './RecipientPicker.module.css';

/** The number of customers shown, and of groups (INV-40). */
const RESULTS = 4;
const SKELETON_ROWS = [1, 2, 3, 4];
/** The results before any search, exported for screens to prefetch. */
export const firstCustomersQuery = customerSearchQuery('', RESULTS);

interface CustomerFinderProps {
  readonly chosen: readonly ChosenCustomer[];
  readonly onChoose: (customer: ChosenCustomer) => void;
  /** Receives the search text that found nobody; '' when there are results or no search. */
  readonly onNotFound?: (searched: string) => void;
}

export function CustomerFinder({ chosen, onChoose, onNotFound }: CustomerFinderProps) {
  const [text, setText] = useState('');
  const query = useDebounced(text.trim());
  const search = useQuery(customerSearchQuery(query, RESULTS));
  const report = useEffectEvent((searched: string) => onNotFound?.(searched));
  const notFound = search.data?.length === 0 ? text.trim() : '';
  useEffect(() => report(notFound), [notFound]);
  return (
    <Finder
      label="Søk etter kunde"
      text={text}
      onText={setText}
      search={search}
      query={query}
      none="Du har ingen kunder ennå"
    >
      {search.data?.map((customer) => (
        <Result
          key={customer.customerNumber}
          name={customer.name}
          note={
            customer.email
              ? readableEmail(customer.email)
              : `Kundenummer ${customer.customerNumber}`
          }
          isChosen={chosen.some((other) => other.customerNumber === customer.customerNumber)}
          onChoose={() => onChoose(customer)}
        />
      ))}
    </Finder>
  );
}

interface GroupFinderProps {
  readonly chosen: ChosenGroup | null;
  readonly onChoose: (group: ChosenGroup) => void;
}

export function GroupFinder({ chosen, onChoose }: GroupFinderProps) {
  const [text, setText] = useState('');
  const query = useDebounced(text.trim());
  const search = useQuery(customerGroupSearchQuery(query, RESULTS));
  return (
    <Finder
      label="Søk etter gruppe"
      text={text}
      onText={setText}
      search={search}
      query={query}
      none="Du har ingen grupper ennå"
    >
      {search.data?.map(({ uuid, groupName, customerCount }) => (
        <Result
          key={uuid}
          name={groupName}
          note={groupSize(customerCount)}
          isChosen={chosen?.uuid === uuid}
          onChoose={() => onChoose({ uuid, groupName, size: customerCount })}
        />
      ))}
    </Finder>
  );
}

interface FinderProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly search: Pick<
    UseQueryResult<readonly unknown[]>,
    'data' | 'isError' | 'isPlaceholderData' | 'refetch'
  >;
  readonly query: string;
  /** The text when the company has none at all. */
  readonly none: string;
  readonly children: ReactNode;
}

function Finder({ label, text, onText, query, search, none, children }: FinderProps) {
  const results = (rows: ReactNode) => (
    <ul className={styles.results} aria-label="Treff">
      {rows}
    </ul>
  );
  const isEmpty = search.data?.length === 0;
  // Placeholder data belongs to the previous search, so its emptiness does not mean that there are none.
  const isOfAll = query === '' && !search.isPlaceholderData;
  return (
    <>
      <SearchField
        label={label}
        placeholder={label}
        value={text}
        onChange={onText}
        found={text === '' ? undefined : search.data?.length}
      />
      <Fetched
        query={search}
        pending={results(SKELETON_ROWS.map((row) => <SkeletonResult key={row} />))}
      >
        {() => results(children)}
      </Fetched>
      {isEmpty ? <p className={styles.empty}>{isOfAll ? none : 'Ingen treff'}</p> : null}
    </>
  );
}

function SkeletonResult() {
  return (
    <li className={styles.result}>
      <Skeleton width="60%" />
    </li>
  );
}

interface ResultProps {
  readonly name: string;
  readonly note: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Result({ name, note, isChosen, onChoose }: ResultProps) {
  return (
    <li>
      {/* Uses aria-disabled when chosen: a disabled button would lose the focus. */}
      <button
        type="button"
        className={styles.result}
        aria-disabled={isChosen}
        onClick={isChosen ? undefined : onChoose}
      >
        {isChosen ? <CheckIcon size={18} /> : <PlusIcon size={18} />}
        <span className={styles.resultName}>{name}</span>
        <span className={styles.resultNote}>{note}</span>
      </button>
    </li>
  );
}
