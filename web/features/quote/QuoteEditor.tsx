import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';

import { formatDate, todayInOslo } from '../../../domain/date.ts';
import { type Quote, quoteForm, type QuoteForm } from '../../../domain/quote/quote.schema.ts';
import {
  PRICE_KIND_NAMES,
  PRICE_KINDS,
  type PriceKind,
} from '../../../domain/quote/quote.state.ts';
import { labelled, type Saving, useSchemaForm } from '../../forms/Form.tsx';
import { ControlledDate, ControlledSelect, GuardedForm } from '../../forms/GuardedForm.tsx';
import { SubmitButton } from '../../ui/Button.tsx';
import { Checkbox, TextArea, TextField } from '../../ui/Field.tsx';
import { Card } from '../../ui/Surface.tsx';
import { customerQuery } from '../customer/customer.api.ts';
import type { CompanyVat } from '../editor/draft-values.ts';
import { InvoiceLines } from '../editor/InvoiceLines.tsx';
import {
  NEW_CUSTOMER_FIRST,
  recipientFaults,
  RecipientPicker,
} from '../editor/RecipientPicker.tsx';
import {
  type ChosenCustomer,
  NOBODY,
  onlyCustomer,
  useNamedRecipients,
} from '../editor/recipients.ts';
import { MessageField } from '../editor/TermFields.tsx';
import { useFeatures } from '../session/session.api.ts';
import { BINDING } from './quote-labels.ts';
import type { QuoteDraft, QuoteFormState } from './quote-values.ts';

const FIELD_LABELS = {
  customerNumber: 'Kunde',
  title: 'Tittel',
  priceKind: 'Pris',
  validUntil: 'Gyldig til og med',
  reference: 'Referanse',
  lines: 'Linjer',
  message: 'Melding til kunden',
  terms: 'Forbehold og vilkår',
  confirmByCode: 'Kunden må bekrefte med en kode på e-post',
};

function showField(field: string, value: unknown): string | undefined {
  if (field === 'priceKind') return PRICE_KIND_NAMES[value as PriceKind];
  return field === 'validUntil' && typeof value === 'string' ? formatDate(value) : undefined;
}

interface QuoteEditorProps {
  readonly vat: CompanyVat;
  readonly initialValues: QuoteDraft;
  readonly initialCustomer: ChosenCustomer | undefined;
  /** Absent for a new quote. */
  readonly editing?: { readonly record: Quote; readonly valuesOf: (record: Quote) => QuoteDraft };
  /** Whether it cannot be saved. A notice above says why. */
  readonly disabled: boolean;
  readonly save: Saving<QuoteForm, Quote>;
  readonly onSaved: (quote: Quote) => void;
}

/** The form of a quote: its customer, its lines and what they promise (QUO-71). */
export function QuoteEditor(props: QuoteEditorProps) {
  const { vat, initialValues, initialCustomer, editing, disabled, save, onSaved } = props;
  const form = useSchemaForm(quoteForm(useFeatures()), initialValues);
  const [known, setKnown] = useState(initialCustomer ? onlyCustomer(initialCustomer) : NOBODY);
  const number = useWatch({ control: form.control, name: 'customerNumber' });
  const recipients = useNamedRecipients({ customerNumbers: number ? [number] : [] }, known);
  const { customerNumber: fault } = form.formState.errors;
  const errors = fault ? { customerNumbers: fault } : {};
  return (
    <FormProvider {...form}>
      <RecipientPicker
        label="Hvem tilbudet er til"
        isOne
        recipients={recipients}
        onChange={(next) => {
          setKnown(next);
          form.setValue('customerNumber', next.customers[0]?.customerNumber ?? null);
          form.clearErrors('customerNumber');
        }}
        errors={errors}
        nextField="[name='title']"
      />
      <GuardedForm
        form={form}
        name="quote"
        editing={editing && { ...editing, labels: FIELD_LABELS, show: showField }}
        extra={{ value: known, restore: setKnown }}
        partsFirst={NEW_CUSTOMER_FIRST}
        faultsAbove={recipientFaults(errors, true)}
        save={save}
        onSaved={onSaved}
        className="stack"
        label="Tilbud"
      >
        <Card heading="Tilbudet">
          <div className="grid">
            <TextField
              hint="Hva tilbudet gjelder, som «Nytt kjøkken»."
              {...labelled(form, FIELD_LABELS)('title')}
            />
            <PriceKindField form={form} />
            <ValidUntilField form={form} />
            <TextField
              hint="Kundens bestillingsnummer eller kontaktperson."
              {...labelled(form, FIELD_LABELS)('reference')}
            />
          </div>
        </Card>
        <Card heading={FIELD_LABELS.lines}>
          <InvoiceLines name="lines" vat={vat} totalLabel="Totalt" />
        </Card>
        <Card heading="Tekst og vilkår">
          <div className="stack">
            <MessageField hint="Står over linjene på tilbudet, og i e-posten." />
            <TextArea
              rows={5}
              hint="Står under linjene. Det du alltid bruker, kan du legge inn på profilen."
              {...labelled(form, FIELD_LABELS)('terms')}
            />
            <Checkbox
              hint="Ellers holder det at kunden skriver navnet sitt og godtar."
              label={FIELD_LABELS.confirmByCode}
              {...form.register('confirmByCode')}
            />
          </div>
        </Card>
        <SubmitButton pending={save.isPending} disabled={disabled}>
          Lagre
        </SubmitButton>
      </GuardedForm>
    </FormProvider>
  );
}

/** Says what the price binds to, where the customer is a private person (QUO-73). */
function PriceKindField({ form }: { form: QuoteFormState }) {
  const [number, kind] = useWatch({
    control: form.control,
    name: ['customerNumber', 'priceKind'],
  });
  const { data: customer } = useQuery({ ...customerQuery(number ?? 0), enabled: Boolean(number) });
  return (
    <ControlledSelect
      control={form.control}
      name="priceKind"
      label={FIELD_LABELS.priceKind}
      required
      hint={customer?.isPrivate && kind ? BINDING[kind] : undefined}
      options={PRICE_KINDS.map((known) => [known, PRICE_KIND_NAMES[known]])}
    />
  );
}

function ValidUntilField({ form }: { form: QuoteFormState }) {
  const date = useWatch({ control: form.control, name: 'validUntil' });
  const isPast = date !== '' && date < todayInOslo();
  return (
    <ControlledDate
      control={form.control}
      name="validUntil"
      label={FIELD_LABELS.validUntil}
      required
      {...(isPast
        ? {
            hint: 'Datoen er passert. Tilbudet kan ikke sendes slik.',
            hintTone: 'warning' as const,
          }
        : { hint: 'Kunden kan godta hele den siste dagen.' })}
    />
  );
}
