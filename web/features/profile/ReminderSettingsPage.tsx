import { useFieldArray, type UseFormReturn, useWatch } from 'react-hook-form';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod/mini';

import {
  REMINDER_DAYS_MAX,
  REMINDER_MINIMUM_MAX,
  REMINDER_STEPS_MAX,
  type ReminderSettings,
  reminderSettingsForm,
  type ReminderSettingsForm,
} from '../../../domain/profile/reminder-settings.schema.ts';
import { DAYS_BEFORE_FEE, FEES_MAX } from '../../../domain/late-payment/reminder-law.ts';
import { Button, IconButton, SubmitButton } from '../../ui/Button.tsx';
import { ControlledNumber, ControlledSelect, GuardedForm } from '../../forms/GuardedForm.tsx';
import { Checkbox, FieldError } from '../../ui/Field.tsx';
import { type Draft, errorAt, fieldProps, labelled, useSchemaForm } from '../../forms/Form.tsx';
import { reminderSettingsQuery, useSaveReminderSettings } from './settings.api.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { Page } from '../../ui/Page.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons.tsx';
import styles from './ReminderSettings.module.css';

type ReminderDraft = Draft<z.input<typeof reminderSettingsForm>>;
type ReminderFormState = UseFormReturn<ReminderDraft, unknown, ReminderSettingsForm>;

const LABELS = {
  automatic: 'Finn fakturaer som bør purres, hver virkedag',
  approve: 'La meg godkjenne før noe sendes',
  steps: 'Trinn',
  minimumAmount: 'Minste beløp',
  waiveRest: 'Ettergi gebyr og renter når fakturaen er betalt',
};

export function ReminderSettingsPage() {
  const query = useQuery(reminderSettingsQuery);
  return (
    <Page
      heading="Purringer"
      aside={
        query.data ? (
          <Badge tone={query.data.automatic ? 'green' : 'gray'}>
            {query.data.automatic ? 'Automatisk' : 'For hånd'}
          </Badge>
        ) : null
      }
      width="form"
    >
      <p className="soft lead">
        Slik minner du kunder på fakturaer som ikke er betalt. Faktur holder seg til det loven
        tillater, og bruker satsene som gjelder den dagen purringen sendes.
      </p>
      <Card>
        <Fetched query={query} pending={<Skeleton height="420px" />}>
          {(settings) => <ReminderSettingsForm settings={settings} />}
        </Fetched>
      </Card>
    </Page>
  );
}

function ReminderSettingsForm({ settings }: { settings: ReminderSettings }) {
  const save = useSaveReminderSettings();
  const form = useSchemaForm(reminderSettingsForm, valuesOf(settings));
  return (
    <GuardedForm
      form={form}
      name="reminder-settings"
      editing={{ record: settings, valuesOf, labels: LABELS }}
      save={save}
      className="stack"
      label="Purringer"
    >
      <Automation form={form} />
      <Steps form={form} mayWarn={settings.debtCollectionNotice} />
      <ControlledNumber
        control={form.control}
        name="minimumAmount"
        label={LABELS.minimumAmount}
        required
        decimals={2}
        min={0}
        max={REMINDER_MINIMUM_MAX}
        className={styles.minimum}
        hint="Kroner. Skylder kunden mindre enn dette på en faktura, blir det ikke foreslått noen purring."
      />
      <Checkbox
        {...labelled(form, LABELS)('waiveRest')}
        hint="Ellers står gebyr og renter igjen på fakturaen når den selv er betalt."
      />
      <SubmitButton pending={save.isPending}>Oppdater purringer</SubmitButton>
    </GuardedForm>
  );
}

function Automation({ form }: { form: ReminderFormState }) {
  const [isAutomatic, isApproved] = useWatch({
    control: form.control,
    name: ['automatic', 'approve'],
  });
  const field = labelled(form, LABELS);
  return (
    <div className="stack gap-3">
      <Checkbox
        {...field('automatic')}
        hint="Da finner Faktur fakturaene som skal purres. Ellers purrer du selv når du vil."
      />
      {isAutomatic ? (
        <Checkbox
          {...field('approve')}
          hint={
            isApproved
              ? 'Forslagene venter til du har sett på dem og sender dem.'
              : 'Purringer sendes av seg selv på virkedager mellom kl. 08 og 16. Er det aldri lest inn en bankfil, må du likevel godkjenne dem.'
          }
        />
      ) : null}
    </div>
  );
}

function valuesOf(settings: ReminderSettings): ReminderDraft {
  const { automatic, approve, steps, minimumAmount, waiveRest } = settings;
  return { automatic, approve, steps, minimumAmount, waiveRest };
}

/** The fourteen days of the payment deadline, plus time for the bank transfer. */
const DAYS_BETWEEN = 17;

interface StepsProps {
  readonly form: ReminderFormState;
  /** Whether inkassovarsel (debt collection notice) can be chosen. */
  readonly mayWarn: boolean;
}

/** The steps of reminders, in order. */
function Steps({ form, mayWarn }: StepsProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'steps' });
  const add = () => {
    const steps = form.getValues('steps');
    const days = (steps.at(-1)?.days ?? 0) + DAYS_BETWEEN;
    const fee = steps.filter((step) => step.fee).length < FEES_MAX && days >= DAYS_BEFORE_FEE;
    append({ days, kind: 'NOTICE', fee, interest: true });
  };
  return (
    <fieldset>
      <legend>{LABELS.steps}</legend>
      <p className="note lead">
        Ett trinn om gangen: det neste kommer tidligst når fristen i det forrige er ute. Gebyr kan
        kreves fra {DAYS_BEFORE_FEE} dager etter forfall, høyst {FEES_MAX} ganger.
      </p>
      <ol className={`stack gap-3 ${styles.list}`}>
        {fields.map((field, index) => (
          <li key={field.id} className={`frame ${styles.step}`} aria-label={`Trinn ${index + 1}`}>
            <StepFields {...{ form, index, mayWarn }} />
            <IconButton
              label={`Fjern trinn ${index + 1}`}
              icon={<TrashIcon />}
              className={styles.remove}
              disabled={fields.length === 1}
              onClick={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      <FieldError message={errorAt(form.formState.errors, 'steps.root')} />
      <Button
        variant="quiet"
        icon={<PlusIcon />}
        disabled={fields.length >= REMINDER_STEPS_MAX}
        onClick={add}
      >
        Legg til trinn
      </Button>
    </fieldset>
  );
}

function StepFields({ form, index, mayWarn }: StepsProps & { readonly index: number }) {
  const path = `steps.${index}` as const;
  const kind = useWatch({ control: form.control, name: `${path}.kind` });
  const isFree = kind === 'REMINDER';
  return (
    <>
      <ControlledNumber
        control={form.control}
        name={`${path}.days`}
        label="Dager etter forfall"
        required
        min={1}
        max={REMINDER_DAYS_MAX}
      />
      <ControlledSelect
        control={form.control}
        name={`${path}.kind`}
        label="Type"
        required
        className={styles.kind}
        onChosen={(chosen) => {
          if (chosen === 'REMINDER') form.setValue(`${path}.fee`, false);
        }}
      >
        <option value="REMINDER">Betalingspåminnelse</option>
        <option value="NOTICE">Purring</option>
        {mayWarn || kind === 'DEBT_COLLECTION_NOTICE' ? (
          <option value="DEBT_COLLECTION_NOTICE">Inkassovarsel</option>
        ) : null}
      </ControlledSelect>
      <div className={`row ${styles.charges}`}>
        {isFree ? (
          // Outside the form: React Hook Form gives disabled fields no value.
          <Checkbox label="Gebyr" checked={false} readOnly disabled />
        ) : (
          <Checkbox label="Gebyr" {...fieldProps(form, `${path}.fee`)} />
        )}
        <Checkbox label="Renter" {...fieldProps(form, `${path}.interest`)} />
      </div>
    </>
  );
}
