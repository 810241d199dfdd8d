import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

import { DUE_DAYS_MAX } from '../../../domain/invoice/invoice-line.schema.ts';
import { DateField } from '../../ui/DateField.tsx';
import { weekdayOf } from '../../lib/date-text.ts';
import { daysUntil, dueDateAfter, isDate } from './due-date.ts';
import type { FormWithDates } from './invoice-form-state.ts';

/** The due date. The form stores the days to payment, so a typed date is converted to days. */
export function DueDateField({ locked }: { locked: boolean }) {
  const form = useFormContext<FormWithDates>();
  const [issueDate, dueDays] = useWatch({ control: form.control, name: ['issueDate', 'dueDays'] });
  const [typed, setTyped] = useState({ text: '', issueDate: '', dueDays: dueDays ?? null });
  const counted = dueDateAfter(issueDate, dueDays);
  // Keeps the typed text, even an incomplete date, until the issue date or the days change elsewhere.
  const isTyped =
    typed.text !== '' && typed.issueDate === issueDate && typed.dueDays === (dueDays ?? null);
  const shown = isTyped ? typed.text : counted;
  const write = (text: string) => {
    const days = daysUntil(issueDate, text);
    setTyped({ text, issueDate, dueDays: days });
    form.setValue('dueDays', days, { shouldValidate: form.formState.isSubmitted });
  };
  return (
    <DateField
      label="Forfallsdato"
      required
      value={shown}
      onChange={write}
      disabled={locked || !isDate(issueDate)}
      {...hintOf(issueDate, shown)}
    />
  );
}

function hintOf(issueDate: string, dueDate: string) {
  if (!isDate(issueDate) || !isDate(dueDate)) return {};
  if (dueDate <= issueDate) {
    return { hint: 'Velg en dato etter fakturadatoen.', hintTone: 'warning' } as const;
  }
  if (dueDate > dueDateAfter(issueDate, DUE_DAYS_MAX)) {
    return { hint: 'Velg en dato innen 100 år.', hintTone: 'warning' } as const;
  }
  const day = weekdayOf(dueDate);
  return { hint: `${day.charAt(0).toUpperCase()}${day.slice(1)}` };
}
