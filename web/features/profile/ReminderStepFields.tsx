import { useFieldArray, useFormContext, useWatch, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import { DAYS_BEFORE_FEE, FEES_MAX } from '../../../domain/late-payment/reminder-law.ts';
import {
  REMINDER_DAYS_MAX,
  REMINDER_STEPS_MAX,
  type reminderSettingsForm,
  type ReminderSettingsForm,
} from '../../../domain/profile/reminder-settings.schema.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ControlledNumber, ControlledSelect } from '../../forms/Controlled.tsx';
import { Checkbox, FieldError } from '../../ui/Field.tsx';
import { errorAt, fieldProps, type Draft } from '../../forms/Form.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons.tsx';
import styles from './ReminderSettings.module.css';

export type ReminderDraft = Draft<z.input<typeof reminderSettingsForm>>;
export type ReminderFormState = UseFormReturn<ReminderDraft, unknown, ReminderSettingsForm>;

/** The fourteen days of the payment deadline, plus time for the bank transfer. */
const DAYS_BETWEEN = 17;

interface ReminderStepFieldsProps {
  /** Whether inkassovarsel (debt collection notice) can be chosen. */
  readonly mayWarn: boolean;
}

/** The steps of reminders, in order, inside a FormProvider. */
export function ReminderStepFields({ mayWarn }: ReminderStepFieldsProps) {
  const form = useFormContext<ReminderDraft, unknown, ReminderSettingsForm>();
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'steps' });
  const add = () => {
    const steps = form.getValues('steps');
    const days = (steps.at(-1)?.days ?? 0) + DAYS_BETWEEN;
    const fee = steps.filter((step) => step.fee).length < FEES_MAX && days >= DAYS_BEFORE_FEE;
    append({ days, kind: 'NOTICE', fee, interest: true });
  };
  return (
    <fieldset>
      <legend>Trinn</legend>
      <p className="note lead">
        Ett trinn om gangen: det neste kommer tidligst når fristen i det forrige er ute. Gebyr kan
        kreves fra {DAYS_BEFORE_FEE} dager etter forfall, høyst {FEES_MAX} ganger.
      </p>
      <ol className={`stack gap-3 ${styles.list}`}>
        {fields.map((field, index) => (
          <li key={field.id} className={`frame ${styles.step}`} aria-label={`Trinn ${index + 1}`}>
            <StepFields index={index} mayWarn={mayWarn} />
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

interface StepFieldsProps extends ReminderStepFieldsProps {
  readonly index: number;
}

function StepFields({ index, mayWarn }: StepFieldsProps) {
  const form = useFormContext<ReminderDraft, unknown, ReminderSettingsForm>();
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
