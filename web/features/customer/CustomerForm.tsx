import { useId, useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type { z } from 'zod';

import {
  CUSTOMER_NUMBER_MAX,
  customerForm,
  customerNumber,
  type Customer,
} from '../../../domain/customer/customer.schema.ts';
import { readableEmail } from '../../../domain/email.ts';
import { tidyOrgNumber, tidyPhoneNumber } from '../../../domain/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, TextField } from '../../ui/Field.tsx';
import { fieldProps, tidied, useSchemaForm, type Draft } from '../../forms/Form.tsx';
import { GuardedForm, type Saving } from '../../forms/GuardedForm.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import { ControlledNumber } from '../../forms/Controlled.tsx';
import styles from './CustomerForm.module.css';
import {
  useRegisterLookup,
  type CustomerFormState,
  type CustomerInput,
} from './useRegisterLookup.ts';

// A chosen number is required. Without one, no number is checked or sent.
const NUMBERED: z.ZodType<CustomerInput> = customerForm.extend({ customerNumber });
const UNNUMBERED: z.ZodType<CustomerInput> = customerForm.omit({ customerNumber: true });

interface CustomerFormProps {
  readonly customer?: Customer;
  readonly submitLabel: string;
  readonly save: Saving<CustomerInput, Customer>;
  readonly onSaved?: (customer: Customer) => void;
  readonly onCancel?: () => void;
  /** Shows only name and e-mail at first, for a customer created from another form. */
  readonly isBrief?: boolean;
  readonly prefilled?: Partial<Pick<Customer, 'name' | 'email'>>;
}

export function CustomerForm(props: CustomerFormProps) {
  const { customer, submitLabel, save, onSaved, onCancel, isBrief, prefilled } = props;
  const [numbered, setNumbered] = useState(false);
  const form = useSchemaForm(
    numbered ? NUMBERED : UNNUMBERED,
    initialValues(customer ?? prefilled),
  );
  const cancel = () => {
    // Discards only this form's input, not that of the invoice around it.
    form.reset();
    onCancel?.();
  };
  const others = (
    <>
      <AddressFields form={form} />
      {customer ? null : <NumberChoice form={form} numbered={numbered} onNumbered={setNumbered} />}
    </>
  );
  return (
    <GuardedForm
      form={form}
      name="customer"
      editing={customer ? { stored: toStored(customer), toStored, labels: LABELS } : undefined}
      extra={{ value: numbered, restore: setNumbered }}
      save={save}
      onSaved={onSaved}
      className="stack gap-6"
      label="Kunde"
    >
      {isBrief ? (
        <>
          <div className="grid">
            <NameFields form={form} />
          </div>
          <Folded form={form}>
            <div className="grid">
              <OrgNumberField form={form} />
              <PhoneField form={form} />
            </div>
            {others}
          </Folded>
        </>
      ) : (
        <>
          <div className="grid">
            <OrgNumberField form={form} />
            <NameFields form={form} />
            <PhoneField form={form} />
          </div>
          {others}
        </>
      )}
      <div className="row gap-2">
        <Button type="submit" variant="primary" pending={save.isPending}>
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

const LABELS = {
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

function initialValues(customer: Partial<Customer> | undefined): Draft<CustomerInput> {
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

interface FieldsProps {
  readonly form: CustomerFormState;
}

function NameFields({ form }: FieldsProps) {
  return (
    <>
      <TextField label={LABELS.name} required autoComplete="off" {...fieldProps(form, 'name')} />
      <TextField
        label={LABELS.email}
        type="email"
        autoComplete="off"
        {...fieldProps(form, 'email')}
      />
    </>
  );
}

function OrgNumberField({ form }: FieldsProps) {
  const lookup = useRegisterLookup(form);
  return (
    <TextField
      label={LABELS.orgNumber}
      inputMode="numeric"
      autoComplete="off"
      maxLength={40}
      {...fieldProps(form, 'orgNumber', tidied(tidyOrgNumber))}
      hint={lookup.hint}
      hintTone={lookup.tone}
    />
  );
}

function PhoneField({ form }: FieldsProps) {
  return (
    <TextField
      label={LABELS.phoneNumber}
      type="tel"
      autoComplete="off"
      {...fieldProps(form, 'phoneNumber', tidied(tidyPhoneNumber))}
    />
  );
}

const FOLDED = [
  'customerNumber',
  'orgNumber',
  'phoneNumber',
  'address1',
  'address2',
  'postalCode',
  'city',
] as const;

/** Optional fields. Open while one of them has an error, and by default when one has a value. */
function Folded({ form, children }: FieldsProps & { children: ReactNode }) {
  const [choice, setChoice] = useState<boolean>();
  const { errors } = form.formState;
  const values = useWatch({ control: form.control, name: FOLDED });
  const isFaulty = FOLDED.some((field) => errors[field]);
  const isOpen = isFaulty || (choice ?? values.some(Boolean));
  const id = useId();
  return (
    <div className={`stack gap-0 ${styles.folded}`}>
      <div>
        <Button
          variant="quiet"
          icon={isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setChoice(!isOpen)}
        >
          Flere opplysninger
        </Button>
        {isOpen ? null : <p className={`aside ${styles.foldedNote}`}>{REQUIRED_OF_INVOICES}</p>}
      </div>
      <div id={id} className="stack gap-6">
        {isOpen ? children : null}
      </div>
    </div>
  );
}

const REQUIRED_OF_INVOICES = 'En faktura skal vise kjøperens adresse eller organisasjonsnummer.';

function AddressFields({ form }: { form: CustomerFormState }) {
  const field = (name: 'address1' | 'address2' | 'postalCode' | 'city') => ({
    ...fieldProps(form, name),
    autoComplete: 'off',
  });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Adresse</legend>
      <p className={`aside ${styles.note}`}>{REQUIRED_OF_INVOICES}</p>
      <div className="grid">
        <TextField label={LABELS.address1} {...field('address1')} />
        <TextField label={LABELS.address2} {...field('address2')} />
        <TextField label={LABELS.postalCode} {...field('postalCode')} />
        <TextField label={LABELS.city} {...field('city')} />
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
    <div className="grid">
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
