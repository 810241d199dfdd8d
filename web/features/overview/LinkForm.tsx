import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import {
  overviewLinkForm,
  type OverviewLinkForm,
  type RunningPeriod,
  type Shown,
} from '../../../domain/overview/overview-link.schema.ts';
import { ControlledDate } from '../../forms/Controlled.tsx';
import { errorAt, fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { SubmitButton } from '../../ui/Button.tsx';
import { Checkbox, FieldError, SelectField, TextField } from '../../ui/Field.tsx';
import { useCreateLink } from './overview.api.ts';

export const SHOWN_NAMES: Readonly<Record<Shown, string>> = {
  TURNOVER: 'Omsetning',
  VAT: 'Mva',
  OUTSTANDING: 'Utestående',
  OVERDUE: 'Forfalt',
  CUSTOMERS: 'Kundenavn',
};

export const PERIOD_NAMES: Readonly<Record<RunningPeriod, string>> = {
  THIS_YEAR: 'I år',
  LAST_YEAR: 'I fjor',
  LAST_12_MONTHS: 'Siste 12 måneder',
};

const DAYS = { 7: '7 dager', 30: '30 dager', 90: '90 dager', 365: 'Ett år' } as const;
const FIXED = 'FIXED';

type Values = z.input<typeof overviewLinkForm>;

const EMPTY: Values = {
  name: '',
  shows: ['TURNOVER', 'OUTSTANDING', 'OVERDUE'],
  from: null,
  to: null,
  period: 'THIS_YEAR',
  days: 30,
  email: '',
};

/** @param onMade called with the link's address */
export function LinkForm({ onMade }: { onMade: (url: string) => void }) {
  const create = useCreateLink();
  const form = useSchemaForm<Values, OverviewLinkForm>(overviewLinkForm, EMPTY);
  const { shows } = form.watch();
  return (
    <GuardedForm
      form={form}
      name="overview link"
      className="stack"
      save={create}
      onSaved={({ url }) => onMade(url)}
      label="Ny lenke"
    >
      <TextField
        label="Navn"
        required
        hint="Hvem lenken er til, for eksempel «Styret» eller «Banken»."
        {...fieldProps(form, 'name')}
      />
      <fieldset>
        <legend>Dette vises</legend>
        {Object.entries(SHOWN_NAMES).map(([shown, label]) => (
          <Checkbox
            key={shown}
            label={label}
            value={shown}
            hint={
              shown === 'CUSTOMERS'
                ? 'De ti største. Krever at du skriver hvem lenken er til.'
                : undefined
            }
            {...form.register('shows')}
          />
        ))}
        <FieldError message={errorAt(form.formState.errors, 'shows')} />
      </fieldset>
      <PeriodFields form={form} />
      <TextField
        label="Bare for"
        type="email"
        required={shows.includes('CUSTOMERS')}
        hint="E-postadressen til den som skal se. Da må den bekreftes med en kode. Uten adresse kan alle som får lenken, se tallene."
        {...fieldProps(form, 'email')}
      />
      <SubmitButton pending={create.isPending}>Lag lenke</SubmitButton>
    </GuardedForm>
  );
}

interface PeriodFieldsProps {
  readonly form: UseFormReturn<Values, unknown, OverviewLinkForm>;
}

/** A period that follows the calendar, or one with both ends; and how long the link works. */
function PeriodFields({ form }: PeriodFieldsProps) {
  const running = form.watch('period');
  const isFixed = running === null;
  const choosePeriod = (chosen: string) => {
    form.setValue('period', chosen === FIXED ? null : (chosen as RunningPeriod));
    if (chosen !== FIXED) {
      form.setValue('from', null);
      form.setValue('to', null);
    }
    form.clearErrors(['period', 'from', 'to']);
  };
  return (
    <>
      <div className="grid narrow">
        <SelectField
          label="Periode"
          required
          value={running ?? FIXED}
          onChange={({ target }) => choosePeriod(target.value)}
          error={errorAt(form.formState.errors, 'period')}
          options={[...Object.entries(PERIOD_NAMES), [FIXED, 'Fra og til']]}
        />
        <SelectField
          label="Virker i"
          required
          {...fieldProps(form, 'days', { setValueAs: Number })}
          options={Object.entries(DAYS)}
        />
      </div>
      {isFixed ? (
        <div className="grid narrow">
          <ControlledDate control={form.control} name="from" label="Fra og med" required />
          <ControlledDate control={form.control} name="to" label="Til og med" required />
        </div>
      ) : null}
    </>
  );
}
