import { useState } from 'react';
import { useController, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import type { customerForm } from '../../../domain/customer/customer.schema.ts';
import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import { DUE_DAYS_MAX } from '../../../domain/terms.ts';
import { ControlledNumber } from '../../forms/GuardedForm.tsx';
import { errorAt, labelled, type Draft } from '../../forms/Form.tsx';
import { Checkbox, SelectField, TextField, type Option } from '../../ui/Field.tsx';
import { namedCountries } from '../../lib/countries.ts';
import { useFeature } from '../session/session.api.ts';
import { TERMS_LABELS } from './terms-labels.ts';

export type CustomerInput = z.input<typeof customerForm>;
export type CustomerFormState = UseFormReturn<Draft<CustomerInput>, unknown, CustomerInput>;

/** Optional fields, most of them defaults for the customer's invoices (CUS-12 to CUS-17). */
export function CustomerTerms({ form }: { form: CustomerFormState }) {
  const hasVat = useFeature('vat');
  const hasEhf = useFeature('einvoice');
  const [countries] = useState(namedCountries);
  const field = labelled(form, TERMS_LABELS);
  return (
    <>
      <Checkbox
        hint="Har ikke organisasjonsnummer, og får ikke EHF."
        {...field('isPrivate', { onChange: () => forgetBusiness(form) })}
      />
      <div className="grid">
        <TextField hint="Står som «Att.» på fakturaen." {...field('contactName')} />
        <InvoiceEmailsField form={form} />
        <TextField hint="Kommer med på nye fakturaer til kunden." {...field('reference')} />
        <ControlledNumber
          control={form.control}
          name="dueDays"
          label={TERMS_LABELS.dueDays}
          min={1}
          max={DUE_DAYS_MAX}
        />
        <DeliveryTypeField form={form} />
        <SelectField required options={countries} {...field('country')} />
        {hasVat ? (
          <TextField
            hint="Med landkode. Norske foretak trenger det ikke."
            {...field('vatNumber')}
          />
        ) : null}
      </div>
      {hasEhf ? <EmailFirst form={form} /> : null}
    </>
  );
}

/** Ticked, the customer is mailed also where it can receive EHF. */
function EmailFirst({ form }: { form: CustomerFormState }) {
  const { field } = useController({ control: form.control, name: 'ehfFirst' });
  const { value, onChange, onBlur, ref: inputRef } = field;
  if (form.watch('isPrivate')) return null;
  return (
    <Checkbox
      label={TERMS_LABELS.ehfFirst}
      checked={value === false}
      onChange={({ target }) => onChange(!target.checked)}
      onBlur={onBlur}
      ref={inputRef}
    />
  );
}

/** Clears what a private person does not have, so that no hidden field has a fault. */
function forgetBusiness(form: CustomerFormState): void {
  if (!form.getValues('isPrivate')) return;
  form.setValue('orgNumber', '', { shouldDirty: true });
  form.clearErrors('orgNumber');
  if (form.getValues('deliveryType') === 'EHF') form.setValue('deliveryType', null);
}

/** Keeps the text as it is typed until the addresses change elsewhere. */
function InvoiceEmailsField({ form }: { form: CustomerFormState }) {
  const { field, fieldState } = useController({ control: form.control, name: 'invoiceEmails' });
  const { value, onChange, onBlur, ref: inputRef } = field;
  const [typed, setTyped] = useState('');
  const emails = value ?? [];
  const isTyped = String(emailsOf(typed)) === String(emails);
  const faults = [fieldState.error ?? []].flat();
  const [error] = faults.flatMap((fault) => errorAt({ fault }, 'fault') ?? []);
  return (
    <TextField
      label={TERMS_LABELS.invoiceEmails}
      inputMode="email"
      hint="Skill flere med komma. Den første er mottaker, de andre får kopi."
      value={isTyped ? typed : emails.join(', ')}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(emailsOf(target.value));
      }}
      onBlur={onBlur}
      ref={inputRef}
      error={error}
    />
  );
}

/** 'kari@firma.no, ola@firma.no' → both addresses. */
function emailsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

function DeliveryTypeField({ form }: { form: CustomerFormState }) {
  const sendsEhf = useFeature('ehf');
  const isPrivate = form.watch('isPrivate');
  const stored = form.formState.defaultValues?.deliveryType;
  const types = ['NONE', 'EMAIL', ...(sendsEhf && !isPrivate ? (['EHF'] as const) : [])] as const;
  const shown = [...new Set([...types, ...(stored && !isPrivate ? [stored] : [])])];
  return (
    <SelectField
      {...labelled(form, TERMS_LABELS)('deliveryType', {
        setValueAs: (value: string) => value || null,
      })}
      options={[
        ['', 'Ikke valgt'],
        ...shown.map((type): Option => [type, DELIVERY_TYPE_NAMES[type]]),
      ]}
    />
  );
}
