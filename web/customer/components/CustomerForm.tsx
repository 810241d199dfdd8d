import { useState } from 'react';
import type { z } from 'zod';

import {
  CUSTOMER_NUMBER_MAX,
  customerForm,
  customerNumber,
  type Customer,
} from '../../../domain/customer/customer.schema.ts';
import { readableEmail } from '../../../domain/email.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, TextField } from '../../ui/Field.tsx';
import { fieldProps, useSchemaForm, WITHOUT_SPACES, type Draft } from '../../ui/Form.tsx';
import { GuardedForm } from '../../ui/GuardedForm.tsx';
import { ControlledNumber } from '../../ui/ControlledNumber.tsx';
import styles from './CustomerForm.module.css';
import {
  useRegisterLookup,
  type CustomerFormState,
  type CustomerInput,
} from './useRegisterLookup.ts';

// A chosen number is required; otherwise none is checked or sent.
const NUMBERED: z.ZodType<CustomerInput> = customerForm.extend({ customerNumber });
const UNNUMBERED: z.ZodType<CustomerInput> = customerForm.omit({ customerNumber: true });

interface CustomerFormProps {
  /** Absent for a new customer. */
  readonly customer?: Customer;
  readonly submitLabel: string;
  readonly pending: boolean;
  readonly onSubmit: (values: CustomerInput, version: number | null) => Promise<Customer>;
  readonly onSaved?: (customer: Customer) => void;
  readonly onCancel?: () => void;
}

/** The fields of a customer, for a new one and one that is changed. */
export function CustomerForm(props: CustomerFormProps) {
  const { customer, submitLabel, pending, onSubmit, onSaved, onCancel } = props;
  const [numbered, setNumbered] = useState(false);
  const form = useSchemaForm(numbered ? NUMBERED : UNNUMBERED, initialValues(customer));
  const cancel = () => {
    // Discards this form's input alone, not that of the invoice around it.
    form.reset();
    onCancel?.();
  };
  return (
    <GuardedForm
      form={form}
      name="customer"
      editing={customer ? { stored: toStored(customer), toStored, labels } : undefined}
      extra={{ value: numbered, restore: setNumbered }}
      onSubmit={onSubmit}
      onSaved={onSaved}
      className={styles.form}
      label="Kunde"
    >
      <ContactFields form={form} />
      <AddressFields form={form} />
      {customer ? null : <NumberChoice form={form} numbered={numbered} onNumbered={setNumbered} />}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" pending={pending}>
          {submitLabel}
        </Button>
        {onCancel ? (
          <Button variant="quiet" onClick={cancel}>
            Avbryt
          </Button>
        ) : null}
      </div>
    </GuardedForm>
  );
}

const labels = {
  name: 'Navn',
  email: 'E-post',
  orgNumber: 'Organisasjonsnummer',
  phoneNumber: 'Telefonnummer',
  address1: 'Adresse',
  address2: 'Adresselinje 2',
  postalCode: 'Postnummer',
  city: 'Poststed',
};

function toStored(customer: Customer) {
  return { values: initialValues(customer), version: customer.version };
}

function initialValues(customer: Customer | undefined): Draft<CustomerInput> {
  return {
    customerNumber: null,
    name: customer?.name ?? '',
    email: readableEmail(customer?.email ?? ''),
    orgNumber: customer?.orgNumber ?? '',
    phoneNumber: customer?.phoneNumber ?? '',
    address1: customer?.address1 ?? '',
    address2: customer?.address2 ?? '',
    postalCode: customer?.postalCode ?? '',
    city: customer?.city ?? '',
  };
}

function ContactFields({ form }: { form: CustomerFormState }) {
  const lookup = useRegisterLookup(form);
  return (
    <div className={styles.grid}>
      <TextField
        label="Organisasjonsnummer"
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        {...fieldProps(form, 'orgNumber', WITHOUT_SPACES)}
        hint={lookup.hint}
        hintTone={lookup.tone}
      />
      <TextField label="Navn" required autoComplete="off" {...fieldProps(form, 'name')} />
      <TextField label="E-post" type="email" autoComplete="off" {...fieldProps(form, 'email')} />
      <TextField
        label="Telefonnummer"
        type="tel"
        autoComplete="off"
        {...fieldProps(form, 'phoneNumber', WITHOUT_SPACES)}
      />
    </div>
  );
}

function AddressFields({ form }: { form: CustomerFormState }) {
  const field = (name: 'address1' | 'address2' | 'postalCode' | 'city') => ({
    ...fieldProps(form, name),
    autoComplete: 'off',
  });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Adresse</legend>
      <p className={styles.note}>
        En faktura skal vise kjøperens adresse eller organisasjonsnummer.
      </p>
      <div className={styles.grid}>
        <TextField label="Adresse" {...field('address1')} />
        <TextField label="Adresselinje 2" {...field('address2')} />
        <TextField label="Postnummer" inputMode="numeric" {...field('postalCode')} />
        <TextField label="Poststed" {...field('city')} />
      </div>
    </fieldset>
  );
}

interface NumberChoiceProps {
  readonly form: CustomerFormState;
  readonly numbered: boolean;
  readonly onNumbered: (numbered: boolean) => void;
}

function NumberChoice({ form, numbered, onNumbered }: NumberChoiceProps) {
  return (
    <div className={styles.grid}>
      <Checkbox
        label="Velg kundenummer selv"
        hint="Ellers får kunden neste ledige nummer."
        checked={numbered}
        onChange={(event) => onNumbered(event.target.checked)}
      />
      {numbered ? (
        <ControlledNumber
          control={form.control}
          name="customerNumber"
          label="Kundenummer"
          required
          min={1}
          max={CUSTOMER_NUMBER_MAX}
        />
      ) : null}
    </div>
  );
}
