import { FormProvider, useWatch } from 'react-hook-form';
import { useQuery } from '@tanstack/react-query';

import {
  REMINDER_MINIMUM_MAX,
  type ReminderSettings,
  reminderSettingsForm,
} from '../../../domain/profile/reminder-settings.schema.ts';
import { SubmitButton } from '../../ui/Button.tsx';
import { ControlledNumber } from '../../forms/Controlled.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { useSchemaForm } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { reminderSettingsQuery, useSaveReminderSettings } from './settings.api.ts';
import styles from './ReminderSettings.module.css';
import {
  type ReminderDraft,
  type ReminderFormState,
  ReminderStepFields,
} from './ReminderStepFields.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';

const LABELS = {
  automatic: 'Finn fakturaer som bør purres, hver virkedag',
  approve: 'La meg godkjenne før noe sendes',
  steps: 'Trinn',
  minimumAmount: 'Minste beløp',
  waiveRest: 'Ettergi gebyr og renter når fakturaen er betalt',
};

function ReminderSettingsForm({ settings }: { settings: ReminderSettings }) {
  const save = useSaveReminderSettings();
  const form = useSchemaForm(reminderSettingsForm, valuesOf(settings));
  return (
    <FormProvider {...form}>
      <GuardedForm
        form={form}
        name="reminder-settings"
        editing={{ record: settings, valuesOf, labels: LABELS }}
        save={save}
        className="stack"
        label="Purringer"
      >
        <Automation form={form} />
        <ReminderStepFields mayWarn={settings.debtCollectionNotice} />
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
          label={LABELS.waiveRest}
          {...form.register('waiveRest')}
          hint="Ellers står gebyr og renter igjen på fakturaen når den selv er betalt."
        />
        <SubmitButton pending={save.isPending}>Oppdater purringer</SubmitButton>
      </GuardedForm>
    </FormProvider>
  );
}

function Automation({ form }: { form: ReminderFormState }) {
  const [isAutomatic, isApproved] = useWatch({
    control: form.control,
    name: ['automatic', 'approve'],
  });
  return (
    <div className="stack gap-3">
      <Checkbox
        label={LABELS.automatic}
        {...form.register('automatic')}
        hint="Da finner Faktur fakturaene som skal purres. Ellers purrer du selv når du vil."
      />
      {isAutomatic ? (
        <Checkbox
          label={LABELS.approve}
          {...form.register('approve')}
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

function valuesOf({ minimumAmount, ...settings }: ReminderSettings): ReminderDraft {
  const { automatic, approve, steps, waiveRest } = settings;
  return { automatic, approve, steps, minimumAmount, waiveRest };
}

export function ReminderSettingsCard() {
  const query = useQuery(reminderSettingsQuery);
  return (
    <Card
      heading="Purringer"
      aside={
        query.data ? (
          <Badge tone={query.data.automatic ? 'green' : 'gray'}>
            {query.data.automatic ? 'Automatisk' : 'For hånd'}
          </Badge>
        ) : null
      }
    >
      <p className="note lead">
        Slik minner du kunder på fakturaer som ikke er betalt. Faktur holder seg til det loven
        tillater, og bruker satsene som gjelder den dagen purringen sendes.
      </p>
      <Fetched query={query} pending={<Skeleton height="420px" />}>
        {(settings) => <ReminderSettingsForm settings={settings} />}
      </Fetched>
    </Card>
  );
}
