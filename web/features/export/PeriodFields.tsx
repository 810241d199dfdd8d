import { useState } from 'react';
import { useSearchParams } from 'react-router';

import { formatDate, todayInOslo } from '../../../domain/date.ts';
import { parseDate } from '../../lib/date-text.ts';
import {
  datesOf,
  PERIOD_LABELS,
  PERIOD_NAMES,
  periodOf,
  type Dates,
  type PeriodName,
} from '../../lib/period.ts';
import { DateField } from '../../ui/DateField.tsx';
import { SelectField } from '../../ui/Field.tsx';

/**
 * The chosen period, with the typed dates. It begins with the one of the list, as the address has it, or with the last
 * month, which is the one that is whole.
 */
export function usePeriod() {
  const [today] = useState(() => todayInOslo());
  const [search] = useSearchParams();
  const [typed, setTyped] = useState<Dates>(() => ({
    from: search.get('from') ?? '',
    to: search.get('to') ?? '',
  }));
  const [name, setName] = useState<PeriodName>(() =>
    typed.from || typed.to ? (periodOf(typed, today) ?? 'DATES') : 'LAST_MONTH',
  );
  const named = datesOf(name, today);
  const from = parseDate(typed.from);
  const to = parseDate(typed.to);
  const isBackwards = from !== null && to !== null && from > to;
  const dates = from && to && !isBackwards ? { from, to } : undefined;
  return {
    name,
    named,
    typed,
    setTyped,
    isBackwards,
    choose: (next: PeriodName) => {
      // The typed dates begin with those that were chosen before.
      if (next === 'DATES' && typed.from === '' && named) setTyped(named);
      setName(next);
    },
    /** Undefined while the dates are not whole. */
    chosen: name === 'SINCE_LAST' ? ('SINCE_LAST' as const) : (named ?? dates),
  };
}

interface PeriodFieldsProps {
  readonly period: ReturnType<typeof usePeriod>;
  readonly isIgnored: boolean;
}

export function PeriodFields({ period, isIgnored }: PeriodFieldsProps) {
  const { name, named, typed, setTyped, isBackwards, choose } = period;
  const hint = isIgnored
    ? 'Arkivet har alt, uansett periode.'
    : named
      ? `${formatDate(named.from)} – ${formatDate(named.to)}`
      : name === 'SINCE_LAST'
        ? 'Alle numre etter det siste som ble eksportert.'
        : undefined;
  return (
    <>
      <SelectField
        label="Periode"
        className="lead"
        required
        disabled={isIgnored}
        hint={hint}
        value={name}
        onChange={({ target }) =>
          choose(PERIOD_NAMES.find((known) => known === target.value) ?? name)
        }
        options={PERIOD_NAMES.map((known) => [known, PERIOD_LABELS[known]])}
      />
      {name === 'DATES' && !isIgnored ? (
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
            hint={isBackwards ? 'Velg samme dag som «Fra», eller senere.' : undefined}
            hintTone="warning"
          />
        </div>
      ) : null}
    </>
  );
}
