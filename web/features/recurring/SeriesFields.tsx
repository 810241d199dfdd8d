import { useQuery } from '@tanstack/react-query';
import { useController, useWatch } from 'react-hook-form';

import { addDays, formatDate, todayInOslo } from '../../../domain/date.ts';
import { LAST_DAY } from '../../../domain/recurring/recurring-dates.ts';
import { previewBody, type AssignmentPreview } from '../../../domain/recurring/recurring.schema.ts';
import {
  INTERVAL_COUNTS,
  INTERVAL_UNITS,
  OCCURRENCES_MAX,
} from '../../../domain/recurring/series.schema.ts';
import { ControlledDate, ControlledNumber, useWiring } from '../../forms/GuardedForm.tsx';
import { parseDate } from '../../lib/date-text.ts';
import { ChoiceField } from '../../ui/ChoiceField.tsx';
import { type Option, SelectField, TextField } from '../../ui/Field.tsx';
import { useDebounced } from '../../ui/SearchField.tsx';
import { Alert, Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { useCan } from '../session/session.api.ts';
import { type AssignmentDraft, type AssignmentFormState, ENDS } from './assignment-form.ts';
import { DateTiles } from './DateTiles.tsx';
import {
  END_LABELS,
  FIELD_LABELS,
  intervalName,
  intervalText,
  LAST_DAY_LABEL,
  MODE_LABELS,
} from './recurring-labels.ts';
import { previewQuery, type PreviewInput } from './recurring.api.ts';

interface SeriesFieldsProps {
  readonly form: AssignmentFormState;
  /** Whether the assignment has run; the first date is then fixed. */
  readonly hasRun: boolean;
}

export function SeriesFields({ form, hasRun }: SeriesFieldsProps) {
  const { control } = form;
  const [unit, firstDate] = useWatch({ control, name: ['interval.unit', 'firstDate'] });
  return (
    <>
      <IntervalField form={form} />
      {unit === 'MONTH' ? <DayField form={form} /> : null}
      {hasRun ? (
        <TextField
          label={FIELD_LABELS.firstDate}
          required
          disabled
          value={formatDate(firstDate)}
          hint="Den første er laget, så datoen ligger fast."
        />
      ) : (
        <ControlledDate
          control={control}
          name="firstDate"
          label={FIELD_LABELS.firstDate}
          required
          hint={
            isTooEarly(firstDate)
              ? 'Velg en dag i løpet av det siste året, eller senere.'
              : unit === 'WEEK'
                ? 'Ukedagen gjentas.'
                : 'Den første lages denne dagen eller senere.'
          }
          hintTone={isTooEarly(firstDate) ? 'warning' : 'plain'}
        />
      )}
      <EndFields form={form} />
    </>
  );
}

/** A first date more than a year ago is refused (REC-17). */
function isTooEarly(firstDate: string): boolean {
  const date = parseDate(firstDate);
  return date !== null && date < addDays(todayInOslo(), -365);
}

function IntervalField({ form: { control, setValue, getValues } }: { form: AssignmentFormState }) {
  const { field, fieldState } = useController({ control, name: 'interval' });
  const choices = INTERVAL_UNITS.flatMap((unit) =>
    INTERVAL_COUNTS[unit].map((count) => ({ unit, count })),
  );
  const choose = (key: string) => {
    const chosen = choices.find((choice) => intervalKey(choice) === key);
    if (!chosen) return;
    field.onChange(chosen);
    // The day of the month does not apply to weeks.
    if (chosen.unit === 'WEEK') setValue('day', null);
    else if (getValues('day') == null) setValue('day', dayOf(getValues('firstDate')));
  };
  return (
    <SelectField
      {...field}
      label={FIELD_LABELS.interval}
      required
      value={intervalKey(field.value)}
      onChange={(event) => choose(event.target.value)}
      error={fieldState.error?.message}
      options={choices.map((choice) => [intervalKey(choice), intervalName(choice)])}
    />
  );
}

function intervalKey({ unit, count }: { unit: string; count: number | null }): string {
  return `${unit} ${count}`;
}

function dayOf(date: string): number {
  return Number(date.slice(8, 10)) || 1;
}

const DAYS = Array.from({ length: 31 }, (_, index) => index + 1);
const SHORTEST_MONTH = 28;

function DayField({ form: { control } }: { form: AssignmentFormState }) {
  const { field, fieldState } = useController({ control, name: 'day' });
  const { value } = field;
  const isLong = typeof value === 'number' && value > SHORTEST_MONTH;
  return (
    <SelectField
      {...field}
      label={FIELD_LABELS.day}
      required
      value={value ?? ''}
      onChange={({ target }) =>
        field.onChange(target.value === LAST_DAY ? LAST_DAY : Number(target.value))
      }
      error={fieldState.error?.message}
      hint={isLong ? 'I kortere måneder blir det den siste dagen.' : ''}
      options={[...DAYS.map((day): Option => [day, `${day}.`]), [LAST_DAY, LAST_DAY_LABEL]]}
    />
  );
}

function EndFields({ form: { control, setValue, clearErrors } }: { form: AssignmentFormState }) {
  const { field } = useController({ control, name: 'end' });
  const { value } = field;
  const choose = (end: string) => {
    field.onChange(end);
    if (end !== 'DATE') setValue('lastDate', '');
    if (end !== 'TIMES') setValue('occurrences', null);
    clearErrors(['lastDate', 'occurrences']);
  };
  return (
    <>
      <SelectField
        {...field}
        label={FIELD_LABELS.end}
        required
        onChange={(event) => choose(event.target.value)}
        options={ENDS.map((end) => [end, END_LABELS[end]])}
      />
      {value === 'DATE' ? (
        <ControlledDate control={control} name="lastDate" label={FIELD_LABELS.lastDate} required />
      ) : null}
      {value === 'TIMES' ? (
        <ControlledNumber
          control={control}
          name="occurrences"
          label={FIELD_LABELS.occurrences}
          required
          min={1}
          max={OCCURRENCES_MAX}
          hint="Totalt, med dem som er laget."
        />
      ) : null}
    </>
  );
}

const CHOICES = [
  {
    value: 'DRAFT',
    label: MODE_LABELS.DRAFT,
    hint: 'Du ser over fakturaene og sender dem selv.',
  },
  {
    value: 'SEND',
    label: MODE_LABELS.SEND,
    hint: 'Fakturaene går til kundene av seg selv, på dagen. Uten leveringsmetode blir de bare registrert.',
  },
] as const;

export function ModeField({ form: { control } }: { form: AssignmentFormState }) {
  const { value = 'DRAFT', ...wiring } = useWiring({ control, name: 'mode' });
  const canIssue = useCan('issue');
  return (
    <div className="stack">
      <ChoiceField
        {...wiring}
        label={FIELD_LABELS.mode}
        hideLabel
        // A member who may not send can keep the current choice, or choose drafts.
        choices={CHOICES.filter((choice) => canIssue || [value, 'DRAFT'].includes(choice.value))}
        value={value}
      />
      {value === 'SEND' ? (
        <Alert tone="warning" live title="Ingen ser over fakturaene før de sendes">
          En faktura som er registrert, kan ikke endres eller slettes, bare krediteres. Kan en kunde
          ikke få sin, blir den et utkast, og du får beskjed. Det samme gjelder det som ikke ble
          laget på dagen.
        </Alert>
      ) : null}
    </div>
  );
}

interface PreviewCardProps {
  readonly form: AssignmentFormState;
  /** The assignment being edited: the preview continues after its existing invoices. Undefined for a new one. */
  readonly uuid: string | undefined;
}

export function PeriodPreview({ form, uuid }: PreviewCardProps) {
  const values = useWatch({ control: form.control }) as AssignmentDraft;
  // A string, since every render creates a new object with the same values.
  const asked = useDebounced(JSON.stringify(inputOf(values, uuid)));
  const body = JSON.parse(asked) as PreviewInput;
  const isValid = previewBody.safeParse(body).success;
  const preview = useQuery({ ...previewQuery(body), enabled: isValid });
  return (
    <Card heading="Forhåndsvisning">
      {isValid ? (
        <Fetched query={preview} pending={<Skeleton height="160px" />}>
          {(found) => (
            <div className="preview" data-old={preview.isPlaceholderData || undefined}>
              <Preview values={values} preview={found} />
            </div>
          )}
        </Fetched>
      ) : (
        <p className="soft">Når datoene er fylt ut, ser du de neste fem her.</p>
      )}
    </Card>
  );
}

function inputOf(values: AssignmentDraft, uuid: string | undefined): PreviewInput {
  const { interval, day, firstDate, lastDate, occurrences, templateId, message } = values;
  const description = values.invoiceLines?.[0]?.description ?? '';
  return {
    uuid,
    interval: { unit: interval.unit, count: interval.count ?? 1 },
    day,
    firstDate,
    lastDate,
    occurrences,
    templateId,
    invoiceLines: description.trim() === '' ? [] : [{ description }],
    message,
  };
}

function Preview({ values, preview }: { values: AssignmentDraft; preview: AssignmentPreview }) {
  const { periods, sample } = preview;
  const { interval, day, firstDate } = values;
  return (
    <div className="stack">
      <p className="title" aria-live="polite">
        {intervalText({
          interval: { unit: interval.unit, count: interval.count ?? 1 },
          day: day ?? null,
          firstDate,
        })}
      </p>
      {periods.length === 0 ? (
        <p className="soft">Det blir ikke laget flere med disse datoene.</p>
      ) : (
        <DateTiles periods={periods} />
      )}
      {sample.description ? (
        <div className="box">
          <p className="soft">Første linje på den første fakturaen</p>
          <p className="strong">{sample.description}</p>
        </div>
      ) : null}
      {sample.message ? (
        <div className="box">
          <p className="soft">Meldingen på den første fakturaen</p>
          <p className="lines">{sample.message}</p>
        </div>
      ) : null}
    </div>
  );
}
