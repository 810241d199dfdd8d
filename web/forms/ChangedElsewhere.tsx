import { useEffect, useRef } from 'react';

import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './GuardedForm.module.css';
import { changedFields, isSameInput } from './same-input.ts';
import type { Stored } from './useUnsavedInput.ts';

/** The stored record that a form edits, and how to show its fields. */
export interface Changed<I> {
  /** The record as last fetched. A newer version replaces the form's values while nothing is typed. */
  readonly stored: Stored<I>;
  /** Field labels, by field name. */
  readonly labels: Readonly<Record<string, string>>;
  /** Formats a field's value; undefined falls back to the default format. A list is shown by its label alone. */
  readonly show?: (field: string, value: unknown) => string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

interface ChangedElsewhereProps {
  readonly editing: Changed<Fields>;
  /** The stored values when the typing began. */
  readonly base: Fields;
  readonly typed: Fields;
  /** Number of saves refused because of the change. The notice takes the focus at each refusal. */
  readonly refusals: number;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** Shows the changes that somebody else saved meanwhile, and lets the user choose between the versions. */
export function ChangedElsewhere(props: ChangedElsewhereProps) {
  const { editing, base, typed, refusals, onKeep, onTake } = props;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusals > 0) notice.current?.focus();
  }, [refusals]);
  const { stored, labels, show = showValue } = editing;
  const text = (field: string, value: unknown) => show(field, value) ?? showValue(field, value);
  return (
    <div ref={notice} tabIndex={-1} className={styles.notice}>
      <Alert tone="warning" live title="Noen har endret dette mens du skrev">
        <dl className={styles.fields}>
          {changedFields(base, stored.values).map((field) => (
            <div key={field} className={styles.field}>
              <dt>{labels[field] ?? field}</dt>
              <dd>{labelled('Nå', text(field, stored.values[field])) ?? 'Er endret'}</dd>
              {isSameInput(typed[field], base[field]) ? null : (
                <dd>
                  {labelled('Du skrev', text(field, typed[field])) ?? 'Du har også endret dette'}
                </dd>
              )}
            </div>
          ))}
        </dl>
        <div className={styles.buttons}>
          <Button onClick={onKeep}>Behold det jeg skrev</Button>
          <Button onClick={onTake}>Bruk de nye opplysningene</Button>
        </div>
      </Alert>
    </div>
  );
}

function labelled(label: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${label}: ${value}`;
}

/** Undefined for a list, which is too long to show. */
function showValue(_: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return 'Tomt';
  if (typeof value === 'boolean') return value ? 'Ja' : 'Nei';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
