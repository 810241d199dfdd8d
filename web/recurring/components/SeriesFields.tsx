import { useController, useWatch } from 'react-hook-form';

import { formatDate } from '../../../domain/date.ts';
import { INTERVAL_COUNTS, INTERVAL_UNITS } from '../../../domain/recurring/recurring.schema.ts';
import { LAST_DAY } from '../../../domain/recurring/recurring-dates.ts';
import { ControlledDate } from '../../ui/ControlledDate.tsx';
import { ControlledNumber } from '../../ui/ControlledNumber.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import type { AssignmentFormState, End } from '../assignment-form.ts';
import { intervalName } from '../interval-text.ts';

interface SeriesFieldsProps {
  readonly form: AssignmentFormState;
  /** Whether something was made: then the first date is what it is. */
  readonly hasRun: boolean;
}

/** On which dates it comes round. */
export function SeriesFields({ form, hasRun }: SeriesFieldsProps) {
  const { control } = form;
  const [unit, firstDate] = useWatch({ control, name: ['interval.unit', 'firstDate'] });
  return (
    <>
      <IntervalField form={form} />
      {unit === 'MONTH' ? <DayField form={form} /> : null}
      {hasRun ? (
        <TextField
          label="Første dato"
          required
          disabled
          value={formatDate(firstDate)}
          hint="Den første er laget, så datoen ligger fast."
        />
      ) : (
        <ControlledDate
          control={control}
          name="firstDate"
          label="Første dato"
          required
          hint={
            unit === 'WEEK' ? 'Ukedagen gjentas.' : 'Den første lages denne dagen eller senere.'
          }
        />
      )}
      <EndFields form={form} />
    </>
  );
}

function IntervalField({ form: { control, setValue, getValues } }: { form: AssignmentFormState }) {
  const {
    field: { value, onChange, onBlur, ref },
    fieldState,
  } = useController({ control, name: 'interval' });
  const choices = INTERVAL_UNITS.flatMap((unit) =>
    INTERVAL_COUNTS[unit].map((count) => ({ unit, count })),
  );
  const choose = (key: string) => {
    const chosen = choices.find((choice) => keyOf(choice) === key);
    if (!chosen) return;
    onChange(chosen);
    // A week has no day of the month.
    if (chosen.unit === 'WEEK') setValue('day', null);
    else if (getValues('day') == null) setValue('day', dayOf(getValues('firstDate')));
  };
  return (
    <SelectField
      label="Hvor ofte"
      required
      value={keyOf(value)}
      onChange={(event) => choose(event.target.value)}
      onBlur={onBlur}
      ref={ref}
      error={fieldState.error?.message}
    >
      {choices.map((choice) => (
        <option key={keyOf(choice)} value={keyOf(choice)}>
          {intervalName(choice)}
        </option>
      ))}
    </SelectField>
  );
}

function keyOf({ unit, count }: { unit: string; count: number | null }): string {
  return `${unit} ${count}`;
}

function dayOf(date: string): number {
  return Number(date.slice(8, 10)) || 1;
}

const DAYS = Array.from({ length: 31 }, (_, index) => index + 1);
const SHORTEST_MONTH = 28;

function DayField({ form: { control } }: { form: AssignmentFormState }) {
  const {
    field: { value, onChange, onBlur, ref },
    fieldState,
  } = useController({ control, name: 'day' });
  const isLong = typeof value === 'number' && value > SHORTEST_MONTH;
  return (
    <SelectField
      label="Dag i måneden"
      required
      value={value ?? ''}
      onChange={({ target }) =>
        onChange(target.value === LAST_DAY ? LAST_DAY : Number(target.value))
      }
      onBlur={onBlur}
      ref={ref}
      error={fieldState.error?.message}
      hint={isLong ? 'I kortere måneder blir det den siste dagen.' : ''}
    >
      {DAYS.map((day) => (
        <option key={day} value={day}>
          {day}.
        </option>
      ))}
      <option value={LAST_DAY}>Siste dag i måneden</option>
    </SelectField>
  );
}

const END_LABELS = [
  ['NEVER', 'Aldri'],
  ['DATE', 'Etter en dato'],
  ['TIMES', 'Etter et antall ganger'],
] as const satisfies readonly (readonly [End, string])[];

function EndFields({ form: { control, setValue, clearErrors } }: { form: AssignmentFormState }) {
  const {
    field: { value, onChange, onBlur, ref },
  } = useController({ control, name: 'end' });
  const choose = (end: string) => {
    onChange(end);
    if (end !== 'DATE') setValue('lastDate', '');
    if (end !== 'TIMES') setValue('occurrences', null);
    clearErrors(['lastDate', 'occurrences']);
  };
  return (
    <>
      <SelectField
        label="Slutter"
        required
        value={value}
        onChange={(event) => choose(event.target.value)}
        onBlur={onBlur}
        ref={ref}
      >
        {END_LABELS.map(([end, label]) => (
          <option key={end} value={end}>
            {label}
          </option>
        ))}
      </SelectField>
      {value === 'DATE' ? (
        <ControlledDate control={control} name="lastDate" label="Siste dato" required />
      ) : null}
      {value === 'TIMES' ? (
        <ControlledNumber
          control={control}
          name="occurrences"
          label="Antall ganger"
          required
          min={1}
          hint="I alt, med dem som er laget."
        />
      ) : null}
    </>
  );
}
