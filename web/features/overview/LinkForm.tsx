import type { UseFormReturn } from 'react-hook-form';

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
import { PERIOD_NAMES, SHOWN_NAMES } from './link-labels.ts';

const DAYS = { 7: '7 dager', 30: '30 dager', 90: '90 dager', 365: 'Ett år' } as const;
const FIXED = 'FIXED';

interface Values {
  name: string;
  shows: Shown[];
  from: string | null;
  to: string | null;
  period: RunningPeriod | null;
  days: 7 | 30 | 90 | 365;
  email: string;
}

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
      <ShownFields form={form} />
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

type LinkFormState = UseFormReturn<Values, unknown, OverviewLinkForm>;

function ShownFields({ form }: { form: LinkFormState }) {
  return (
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
  );
}

/** A period that follows the calendar, or one with both ends; and how long the link works. */
function PeriodFields({ form }: { form: LinkFormState }) {
  const running = form.watch('period');
  const isFixed = running === null;
  const choosePeriod = (chosen: string) => {
    form.setValue('period', chosen === FIXED ? null : (chosen as RunningPeriod));
    if (chosen !== FIXED) {
      form.setValue('from', null);
      form.setValue('to', null);
    }
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
