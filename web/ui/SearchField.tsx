import { useEffect, useState, type ChangeEvent } from 'react';

import { showCount } from '../lib/count.ts';
import { Field } from './Field.tsx';
import fieldStyles from './Field.module.css';
import { SearchIcon } from './icons.tsx';
import styles from './SearchField.module.css';

const DEBOUNCE_MS = 500;

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** How many a search has found, which screen readers say; undefined while that is not known. */
  readonly found?: number | undefined;
}

export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, value, onChange, found } = props;
  return (
    <Field label={label} hideLabel required className={styles.field}>
      {(control) => (
        <div className={styles.box}>
          <SearchIcon size={18} />
          <input
            id={control.id}
            type="search"
            className={`${fieldStyles.input} ${styles.input}`}
            placeholder={placeholder}
            value={value}
            autoComplete="off"
            onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault();
            }}
          />
          <p className="visually-hidden" aria-live="polite">
            {found === undefined ? null : `${showCount(found)} treff`}
          </p>
        </div>
      )}
    </Field>
  );
}

/** A value half a second after it last changed, so that a search is made per word, not per letter. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
