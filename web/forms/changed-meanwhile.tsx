import { useEffect, useRef } from 'react';

import { changedFields, isSameInput, type Fields } from '../lib/same-input.ts';
import { Alert } from '../ui/Surface.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './GuardedForm.module.css';

/** Says that the record was deleted while the user typed. Takes the focus, because it may be out of view. */
export function Gone() {
  return (
    <div ref={(notice) => notice?.focus()} tabIndex={-1} className="above">
      <Alert tone="warning" live title="Dette ble slettet mens du skrev">
        Det du har skrevet, står fortsatt her, men kan ikke lagres. Ta vare på det du trenger, og
        begynn på nytt.
      </Alert>
    </div>
  );
}

interface ChangedElsewhereProps {
  readonly labels: Readonly<Record<string, string>>;
  readonly show?: (field: string, value: unknown) => string | undefined;
  /** The stored values when the typing began, and the present ones. */
  readonly base: Fields;
  readonly now: Fields;
  readonly typed: Fields;
  /** Number of saves refused because of the change. The notice takes the focus at each refusal. */
  readonly refusals: number;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** Shows the changes that somebody else saved meanwhile, and lets the user choose between the versions. */
export function ChangedElsewhere(props: ChangedElsewhereProps) {
  const { labels, show, base, now, typed, refusals } = props;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusals > 0) notice.current?.focus();
  }, [refusals]);
  const text = (before: string, field: string, value: unknown, withoutValue: string) => {
    const shown = show?.(field, value) ?? showValue(value);
    return <dd className="soft">{shown === undefined ? withoutValue : `${before}: ${shown}`}</dd>;
  };
  return (
    <div ref={notice} tabIndex={-1} className={`above ${styles.notice}`}>
      <Alert tone="warning" live title="Noen har endret dette mens du skrev">
        <dl className="stack gap-3">
          {changedFields(base, now).map((field) => (
            <div key={field}>
              <dt className="strong">{labels[field] ?? field}</dt>
              {text('Nå', field, now[field], 'Er endret')}
              {isSameInput(typed[field], base[field])
                ? null
                : text('Du skrev', field, typed[field], 'Du har også endret dette')}
            </div>
          ))}
        </dl>
        <div className="row gap-2">
          <Button onClick={props.onKeep}>Behold det jeg skrev</Button>
          <Button onClick={props.onTake}>Bruk de nye opplysningene</Button>
        </div>
      </Alert>
    </div>
  );
}

/** Undefined for a list, which is too long to show. */
function showValue(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return 'Tomt';
  if (typeof value === 'boolean') return value ? 'Ja' : 'Nei';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
