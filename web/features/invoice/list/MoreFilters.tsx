import { useState } from 'react';

import { todayInOslo } from '../../../../domain/date.ts';
import { parseDate } from '../../../lib/date-text.ts';
import { datesOf, PERIOD_LABELS, PERIOD_NAMES, periodOf } from '../../../lib/period.ts';
import { DateField } from '../../../ui/DateField.tsx';
import { SelectField, type Option } from '../../../ui/Field.tsx';
import { CustomerFinder } from '../../editor/RecipientFinders.tsx';
import type { ListView } from './useListView.ts';

/** Narrows the list to a period and a customer. What is chosen stands above the list, where it is taken away again. */
export function MoreFilters({ view }: { view: ListView }) {
  return (
    <div className="not-printed grid narrow frame">
      <Period view={view} />
      <div className="stack gap-1">
        <p className="strong" aria-hidden="true">
          Kunde
        </p>
        <CustomerFinder
          chosen={[]}
          onChoose={({ customerNumber }) => view.setCustomerNumber(customerNumber)}
        />
      </div>
    </div>
  );
}

function Period({ view }: { view: ListView }) {
  const { from, to } = view.filter;
  const [today] = useState(() => todayInOslo());
  const [typed, setTyped] = useState({ from: from ?? '', to: to ?? '' });
  // The dates may have been taken away above the list.
  if (dayOf(typed.from) !== from || dayOf(typed.to) !== to) {
    setTyped({ from: from ?? '', to: to ?? '' });
  }
  const choose = (dates: { readonly from: string; readonly to: string }) => {
    setTyped(dates);
    view.setDays((days) => ({ ...days, from: dayOf(dates.from), to: dayOf(dates.to) }));
  };
  const named = periodOf(typed, today);
  const isTyped = named === undefined && (from ?? to) !== undefined;
  return (
    <>
      <SelectField
        label="Fakturadato"
        required
        value={named ?? (isTyped ? 'DATES' : '')}
        onChange={({ target }) => {
          const name = PERIOD_NAMES.find((known) => known === target.value);
          choose((name && datesOf(name, today)) ?? { from: '', to: '' });
        }}
        options={[
          ['', 'Alle datoer'],
          ...PERIOD_NAMES.filter(
            (name) => datesOf(name, today) || (isTyped && name === 'DATES'),
          ).map((name): Option => [name, PERIOD_LABELS[name]]),
        ]}
      />
      <DateField
        label="Fra"
        required
        value={typed.from}
        onChange={(day) => choose({ ...typed, from: day })}
      />
      <DateField
        label="Til"
        required
        value={typed.to}
        onChange={(day) => choose({ ...typed, to: day })}
      />
    </>
  );
}

function dayOf(text: string) {
  return parseDate(text) ?? undefined;
}
