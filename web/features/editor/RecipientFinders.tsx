import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';

import { readableEmail } from '../../../domain/email.ts';
import { customerSearchQuery } from '../customer/customer.api.ts';
import { customerGroupSearchQuery } from '../customer-group/customer-group.api.ts';
import { Combobox, ComboboxInput, ComboboxList, ComboboxOption } from '../../ui/Combobox.tsx';
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
      keyOf={({ customerNumber }) => String(customerNumber)}
      nameOf={({ name }) => name}
      noteOf={({ email, customerNumber }) =>
        email ? readableEmail(email) : `Kundenummer ${customerNumber}`
      }
      isChosen={({ customerNumber }) =>
        chosen.some((other) => other.customerNumber === customerNumber)
      }
      onChoose={onChoose}
    />
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
      keyOf={({ uuid }) => uuid}
      nameOf={({ groupName }) => groupName}
      noteOf={({ customerCount }) => groupSize(customerCount)}
      isChosen={({ uuid }) => uuid === chosen?.uuid}
      onChoose={({ uuid, groupName, customerCount }) =>
        onChoose({ uuid, groupName, size: customerCount })
      }
    />
  );
}

interface FinderProps<T> {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly search: Pick<
    UseQueryResult<readonly T[]>,
    'data' | 'isError' | 'isPlaceholderData' | 'refetch'
  >;
  readonly query: string;
  /** The text when the company has none at all. */
  readonly none: string;
  readonly keyOf: (found: T) => string;
  readonly nameOf: (found: T) => string;
  readonly noteOf: (found: T) => string;
  readonly isChosen: (found: T) => boolean;
  readonly onChoose: (found: T) => void;
}

function Finder<T>(props: FinderProps<T>) {
  const { label, text, onText, query, search, none, keyOf, nameOf, noteOf, isChosen } = props;
  const found = search.data ?? [];
  const isEmpty = search.data?.length === 0;
  // Placeholder data belongs to the previous search, so it says nothing about this one.
  const isOfText = query === text.trim() && !search.isPlaceholderData;
  return (
    <Combobox
      options={found}
      keyOf={keyOf}
      isChosen={isChosen}
      entersOnly={text !== '' && isOfText}
      onChoose={props.onChoose}
    >
      <ComboboxInput isOpen={found.length > 0}>
        <SearchField
          label={label}
          placeholder={label}
          value={text}
          onChange={onText}
          found={text === '' ? undefined : search.data?.length}
        />
      </ComboboxInput>
      <Fetched query={search} pending={<SkeletonResults />}>
        {() => (
          <ComboboxList label="Treff" className={styles.results}>
            {found.map((option) => (
              <ComboboxOption
                key={keyOf(option)}
                option={option}
                icon={isChosen(option) ? <CheckIcon /> : <PlusIcon />}
                name={nameOf(option)}
                note={noteOf(option)}
              />
            ))}
          </ComboboxList>
        )}
      </Fetched>
      {isEmpty ? (
        <p className="soft pad">
          {query === '' && !search.isPlaceholderData ? none : 'Ingen treff'}
        </p>
      ) : null}
    </Combobox>
  );
}

function SkeletonResults() {
  return (
    <div className={styles.results}>
      {SKELETON_ROWS.map((row) => (
        <div key={row} className={styles.skeleton}>
          <Skeleton width="60%" />
        </div>
      ))}
    </div>
  );
}
