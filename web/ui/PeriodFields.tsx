import { useState } from 'react';

import { parseDate } from '../lib/date-text.ts';
import type { Dates } from '../lib/period.ts';
import { DateField } from './DateField.tsx';
import { SelectField } from './Field.tsx';

const NO_DATES: Dates = { from: '', to: '' };

/** A period that is chosen by its name or, as 'DATES', by its days. */
export function usePeriod<N extends string>(
  first: N,
  datesOf: (name: N) => Dates | undefined,
  firstTyped = NO_DATES,
) {
  const [name, setName] = useState(first);
  const [typed, setTyped] = useState(firstTyped);
  const named = datesOf(name);
  const [from, to] = [parseDate(typed.from), parseDate(typed.to)];
  return {
    name,
    /** The days of the name, where it has any. */
    named,
    typed,
    setTyped,
    /** The typed days, once both of them are whole. */
    days: from && to ? { from, to } : undefined,
    choose: (next: N) => {
      // The typed days begin with those that were chosen before.
      if (next === 'DATES' && typed.from === '' && named) setTyped(named);
      setName(next);
    },
  };
}

/** A fault of the typed days. */
export const BACKWARDS = 'Velg samme dag som «Fra», eller senere.';

interface PeriodFieldsProps<N extends string> {
  readonly period: ReturnType<typeof usePeriod<N>>;
  readonly labels: Readonly<Record<N, string>>;
  readonly hint: string | undefined;
  readonly fault: string | undefined;
  readonly disabled?: boolean;
}

export function PeriodFields<N extends string>(props: PeriodFieldsProps<N>) {
  const { period, labels, hint, fault, disabled = false } = props;
  const { name, typed, setTyped, choose } = period;
  return (
    <>
      <SelectField
        label="Periode"
        className="lead"
        required
        disabled={disabled}
        hint={hint}
        value={name}
        onChange={({ target }) => choose(target.value as N)}
        options={Object.entries<string>(labels)}
      />
      {name === 'DATES' && !disabled ? (
        <div className="grid narrow lead">
          <DateField
            label="Fra"
            required
            value={typed.from}
            onChange={(from) => setTyped({ ...typed, from })}
          />
          <DateField
            label="Til"
            required
            value={typed.to}
            onChange={(to) => setTyped({ ...typed, to })}
            hint={fault}
            hintTone="warning"
          />
        </div>
      ) : null}
    </>
  );
}
