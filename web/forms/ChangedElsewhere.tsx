import { useEffect, useRef } from 'react';

import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './GuardedForm.module.css';
import { changedFields, isSameInput } from './same-input.ts';
import type { Stored } from './useUnsavedInput.ts';

/** What is being changed, and how its fields are shown. */
export interface Changed<I> {
  /** As last read; a newer one is shown as long as nothing was typed. */
  readonly stored: Stored<I>;
  /** The names of the fields, and how their values are shown. A list is shown by name alone. */
  readonly labels: Readonly<Record<string, string>>;
  readonly show?: (field: string, value: unknown) => string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

interface ChangedElsewhereProps {
  readonly editing: Changed<Fields>;
  /** What was stored when the typing began. */
  readonly base: Fields;
  readonly typed: Fields;
  /** How often saving was refused for it. Each time the notice takes the focus. */
  readonly refusals: number;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** Shows what somebody else has saved meanwhile, and lets the person choose. */
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
              <dd>{said('Nå', text(field, stored.values[field])) ?? 'Er endret'}</dd>
              {isSameInput(typed[field], base[field]) ? null : (
                <dd>{said('Du skrev', text(field, typed[field])) ?? 'Du har også endret dette'}</dd>
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

function said(who: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${who}: ${value}`;
}

/** Undefined for a list, which is too long to show. */
function showValue(_: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return 'Tomt';
  if (typeof value === 'boolean') return value ? 'Ja' : 'Nei';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
