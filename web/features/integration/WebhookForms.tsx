import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import {
  EVENT_TYPES,
  type Webhook,
  webhookForm,
  type WebhookForm,
  webhookUpdate,
  type WebhookUpdate,
  type WebhookWithSecret,
} from '../../../domain/integration/webhook.schema.ts';
import { errorAt, fieldProps, useSchemaForm } from '../../forms/Form.tsx';
import { DialogForm } from '../../forms/DialogForm.tsx';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, FieldError, TextField } from '../../ui/Field.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { useCreateWebhook, useUpdateWebhook } from './webhook.api.ts';
import { EVENT_NAMES } from './webhook-texts.ts';

type Values = z.input<typeof webhookForm>;
type UpdateValues = z.input<typeof webhookUpdate>;

const EMPTY: Values = { url: '', description: '', events: ['*'] };

interface NewWebhookFormProps {
  readonly onMade: (made: WebhookWithSecret) => void;
  readonly onClose: () => void;
}

export function NewWebhookForm({ onMade, onClose }: NewWebhookFormProps) {
  const create = useCreateWebhook();
  const form = useSchemaForm<Values, WebhookForm>(webhookForm, EMPTY);
  return (
    <DialogForm
      form={form}
      name="webhook"
      className="stack"
      save={create}
      onSaved={onMade}
      submitLabel="Lag webhook"
      onClose={onClose}
      label="Ny webhook"
    >
      <Fields form={form} />
    </DialogForm>
  );
}

interface WebhookFormProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function ChangeWebhookForm({ webhook, onClose }: WebhookFormProps) {
  const { uuid, url, description, events, active } = webhook;
  const update = useUpdateWebhook(uuid);
  const [initial] = useState<UpdateValues>(() => ({ url, description, events, active }));
  const form = useSchemaForm<UpdateValues, WebhookUpdate>(webhookUpdate, initial);
  return (
    <DialogForm
      form={form}
      name="webhook"
      className="stack"
      save={update}
      submitLabel="Lagre"
      onClose={onClose}
      label="Endre webhook"
    >
      <Fields form={form as unknown as AnyForm} />
      <Checkbox
        label="Slått på"
        hint="Slått av får den ingenting, og det som venter, blir avbrutt."
        {...form.register('active')}
      />
    </DialogForm>
  );
}

type AnyForm = UseFormReturn<Values, unknown, WebhookForm>;

/** Address, description and events: all of them, or those that are chosen. */
function Fields({ form }: { readonly form: AnyForm }) {
  const events = form.watch('events');
  const isAll = events.includes('*');
  return (
    <>
      <TextField
        label="Adresse"
        type="url"
        required
        hint="Begynner med https://. Den får en melding hver gang noe skjer."
        {...fieldProps(form, 'url')}
      />
      <TextField
        label="Beskrivelse"
        hint="Hvilket program som får meldingene."
        {...fieldProps(form, 'description')}
      />
      <fieldset>
        <legend>Sier fra om</legend>
        <Checkbox
          label="Alt"
          checked={isAll}
          onChange={({ target }) => form.setValue('events', target.checked ? ['*'] : [])}
        />
        {isAll
          ? null
          : EVENT_TYPES.map((type) => (
              <Checkbox
                key={type}
                label={EVENT_NAMES[type]}
                value={type}
                {...form.register('events')}
              />
            ))}
        <FieldError message={errorAt(form.formState.errors, 'events')} />
      </fieldset>
    </>
  );
}

/** Shows the secret of a webhook, the only time that it is known. */
export function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <ShownOnce
      title="Hemmeligheten er klar"
      text="Kopier den nå. Den vises bare denne ene gangen. Mottakeren kjenner igjen meldinger fra Faktur med den."
      label="Hemmelighet"
      value={secret}
      copyLabel="Kopier"
      copied="Hemmeligheten er kopiert!"
    >
      <Button onClick={onDone}>Ferdig</Button>
    </ShownOnce>
  );
}
