import { useState } from 'react';
import { useController } from 'react-hook-form';

import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import { DUE_DAYS_MAX } from '../../../domain/terms.ts';
import { ControlledNumber } from '../../forms/Controlled.tsx';
import { errorAt, fieldProps } from '../../forms/Form.tsx';
import { Checkbox, SelectField, TextField, type Option } from '../../ui/Field.tsx';
import { namedCountries } from '../../lib/countries.ts';
import { useFeature } from '../session/session.api.ts';
import { TERMS_LABELS } from './terms-labels.ts';
import type { CustomerFormState } from './customer-form.ts';

interface FieldsProps {
  readonly form: CustomerFormState;
}

/** Optional fields, most of them defaults for the customer's invoices (CUS-12 to CUS-17). */
export function CustomerTerms({ form }: FieldsProps) {
  const hasVat = useFeature('vat');
  return (
    <>
      <Checkbox
        label={TERMS_LABELS.isPrivate}
        hint="Har ikke organisasjonsnummer, og får ikke EHF."
        {...form.register('isPrivate', { onChange: () => forgetBusiness(form) })}
      />
      <div className="grid">
        <TextField
          label={TERMS_LABELS.contactName}
          hint="Står som «Att.» på fakturaen."
          {...fieldProps(form, 'contactName')}
        />
        <InvoiceEmailsField form={form} />
        <TextField
          label={TERMS_LABELS.reference}
          hint="Kommer med på nye fakturaer til kunden."
          {...fieldProps(form, 'reference')}
        />
        <ControlledNumber
          control={form.control}
          name="dueDays"
          label={TERMS_LABELS.dueDays}
          min={1}
          max={DUE_DAYS_MAX}
        />
        <DeliveryTypeField form={form} />
        <CountryField form={form} />
        {hasVat ? (
          <TextField
            label={TERMS_LABELS.vatNumber}
            hint="Med landkode. Norske foretak trenger det ikke."
            {...fieldProps(form, 'vatNumber')}
          />
        ) : null}
      </div>
    </>
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
function InvoiceEmailsField({ form }: FieldsProps) {
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

function DeliveryTypeField({ form }: FieldsProps) {
  const sendsEhf = useFeature('ehf');
  const isPrivate = form.watch('isPrivate');
  const stored = form.formState.defaultValues?.deliveryType;
  const types = ['NONE', 'EMAIL', ...(sendsEhf && !isPrivate ? (['EHF'] as const) : [])] as const;
  const shown = [...new Set([...types, ...(stored && !isPrivate ? [stored] : [])])];
  return (
    <SelectField
      label={TERMS_LABELS.deliveryType}
      {...fieldProps(form, 'deliveryType', { setValueAs: (value: string) => value || null })}
      options={[
        ['', 'Ikke valgt'],
        ...shown.map((type): Option => [type, DELIVERY_TYPE_NAMES[type]]),
      ]}
    />
  );
}

function CountryField({ form }: FieldsProps) {
  const [countries] = useState(namedCountries);
  return (
    <SelectField
      label={TERMS_LABELS.country}
      required
      {...fieldProps(form, 'country')}
      options={countries}
    />
  );
}
