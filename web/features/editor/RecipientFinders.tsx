import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';

import { readableEmail } from '../../../domain/email.ts';
import { customerSearchQuery } from '../customer/customer.api.ts';
import { customerGroupSearchQuery } from '../customer-group/customer-group.api.ts';
import { Combobox, ComboboxInput, ComboboxList, ComboboxOption } from '../../ui/Combobox.tsx';
import { Fetched, Skeleton } from '../../ui/Surface.tsx';
import { CheckIcon, PlusIcon } from '../../ui/icons.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import {
  groupSize,
  type ChosenCustomer,
  type ChosenGroup,
  type ListedGroup,
} from './recipients.ts';
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
  return (
    <Finder
      label="Søk etter kunde"
      searchOf={(query) => customerSearchQuery(query, RESULTS)}
      onNotFound={onNotFound}
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
  readonly onChoose: (group: ListedGroup) => void;
}

export function GroupFinder({ chosen, onChoose }: GroupFinderProps) {
  return (
    <Finder
      label="Søk etter gruppe"
      searchOf={(query) => customerGroupSearchQuery(query, RESULTS)}
      none="Du har ingen grupper ennå"
      keyOf={({ uuid }) => uuid}
      nameOf={({ groupName }) => groupName}
      noteOf={({ customerCount }) => groupSize(customerCount)}
      isChosen={({ uuid }) => uuid === chosen?.uuid}
      onChoose={onChoose}
    />
  );
}

interface FinderProps<T, K extends QueryKey> {
  readonly label: string;
  readonly searchOf: (query: string) => UseQueryOptions<T[], Error, T[], K>;
  readonly onNotFound?: CustomerFinderProps['onNotFound'];
  /** The text when the company has none at all. */
  readonly none: string;
  readonly keyOf: (found: T) => string;
  readonly nameOf: (found: T) => string;
  readonly noteOf: (found: T) => string;
  readonly isChosen: (found: T) => boolean;
  readonly onChoose: (found: T) => void;
}

function Finder<T, K extends QueryKey>(props: FinderProps<T, K>) {
  const { label, none, keyOf, nameOf, noteOf, isChosen } = props;
  const [text, setText] = useState('');
  const query = useDebounced(text.trim());
  const search = useQuery(props.searchOf(query));
  const found = search.data ?? [];
  const isEmpty = search.data?.length === 0;
  const report = useEffectEvent((searched: string) => props.onNotFound?.(searched));
  const notFound = isEmpty ? text.trim() : '';
  useEffect(() => report(notFound), [notFound]);
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
          onChange={setText}
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
