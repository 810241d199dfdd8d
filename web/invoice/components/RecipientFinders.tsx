import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { customerSearchQuery } from '../../customer/customer.queries.ts';
import { customerGroupSearchQuery } from '../../customer-group/customer-group.queries.ts';
import { CheckIcon, PlusIcon } from '../../ui/icons.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import type { ChosenCustomer, ChosenGroup } from '../recipients.ts';
import styles from './RecipientPicker.module.css';

/** Few enough to take in at a glance (specification § 2). */
const RESULTS = 4;

interface CustomerFinderProps {
  readonly chosen: readonly ChosenCustomer[];
  readonly onChoose: (customer: ChosenCustomer) => void;
}

export function CustomerFinder({ chosen, onChoose }: CustomerFinderProps) {
  const [text, setText] = useState('');
  const search = useQuery(customerSearchQuery(useDebounced(text.trim()), RESULTS));
  return (
    <Finder label="Søk etter kunde" text={text} onText={setText} empty={isEmpty(search.data)}>
      {search.data?.map((customer) => (
        <Result
          key={customer.customerNumber}
          name={customer.name}
          note={customer.email ?? `Kundenummer ${customer.customerNumber}`}
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
  const search = useQuery(customerGroupSearchQuery(useDebounced(text.trim()), RESULTS));
  return (
    <Finder label="Søk etter gruppe" text={text} onText={setText} empty={isEmpty(search.data)}>
      {search.data?.map(({ uuid, groupName, customers }) => (
        <Result
          key={uuid}
          name={groupName}
          note={`${customers.length} kunder`}
          isChosen={chosen?.uuid === uuid}
          onChoose={() => onChoose({ uuid, groupName, size: customers.length })}
        />
      ))}
    </Finder>
  );
}

function isEmpty(results: readonly unknown[] | undefined): boolean | undefined {
  return results && results.length === 0;
}

interface FinderProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Undefined while the first answer is awaited. */
  readonly empty: boolean | undefined;
  readonly children: ReactNode;
}

function Finder({ label, text, onText, empty, children }: FinderProps) {
  return (
    <>
      <SearchField label={label} placeholder={label} value={text} onChange={onText} />
      <ul className={styles.results} aria-label="Treff">
        {empty === undefined ? (
          <li className={styles.empty}>
            <Skeleton width="60%" />
          </li>
        ) : null}
        {children}
      </ul>
      <p className={empty ? styles.empty : undefined} aria-live="polite">
        {empty ? 'Ingen treff' : null}
      </p>
    </>
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
      <button type="button" className={styles.result} disabled={isChosen} onClick={onChoose}>
        {isChosen ? <CheckIcon size={18} /> : <PlusIcon size={18} />}
        <span className={styles.resultName}>{name}</span>
        <span className={styles.resultNote}>{note}</span>
      </button>
    </li>
  );
}
