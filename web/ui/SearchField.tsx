import { useEffect, useState, type ChangeEvent, type ComponentProps } from 'react';

import { SEARCH_LENGTH } from '../../domain/text.ts';
import { showCount } from '../lib/number-text.ts';
import { Field } from './Field.tsx';
import fieldStyles from './Field.module.css';
import { SearchIcon } from './icons.tsx';
import styles from './SearchField.module.css';

const DEBOUNCE_MS = 500;

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The number of results, announced by screen readers; undefined until known. */
  readonly found?: number | undefined;
}

export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, found, ...input } = props;
  return (
    <Field label={label} hideLabel required className="grow">
      {(control) => (
        <div className={`${fieldStyles.box} ${styles.box}`}>
          <SearchIcon />
          <input
            {...input}
            id={control.id}
            // A search field may not have the role of a combobox.
            type={input.role ? 'text' : 'search'}
            className={fieldStyles.input}
            value={value}
            maxLength={SEARCH_LENGTH}
            autoComplete="off"
            onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
            onKeyDown={(event) => {
              input.onKeyDown?.(event);
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

/** Delays a value until it has been unchanged for half a second, so that not every letter starts a search. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
