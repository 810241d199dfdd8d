import { useId, useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod/mini';

import { countryName, HOME_COUNTRY } from '../../../domain/country.ts';
import {
  CUSTOMER_NUMBER_MAX,
  customerFields,
  customerNumber,
  withPrivatePerson,
  type Customer,
} from '../../../domain/customer/customer.schema.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import { WITHOUT_NUMBER } from '../../../domain/einvoice/einvoice-duty.ts';
import { readableEmail } from '../../../domain/email.ts';
import { tidyOrgNumber, tidyPhoneNumber } from '../../../domain/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, TextField } from '../../ui/Field.tsx';
import { useLaterCode } from '../../ui/useLaterCode.ts';
import { laterCode } from '../../lib/later-code.ts';
import { labelled, tidied, useSchemaForm, type Draft, type Saving } from '../../forms/Form.tsx';
import { ControlledNumber, GuardedForm } from '../../forms/GuardedForm.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '../../ui/icons.tsx';
import { useFeature } from '../session/session.api.ts';
import { TERMS_LABELS, TERMS, REQUIRED_OF_INVOICES } from './terms-labels.ts';
import { fillEmpty, useRegisterLookup } from '../business-register/useRegisterLookup.ts';
import { isCustomerNumberTaken } from './customer.api.ts';
import type { CustomerFormState, CustomerInput } from './CustomerTerms.tsx';

// A chosen number is required. Without one, no number is checked or sent.
const NUMBERED: z.ZodMiniType<CustomerInput> = withPrivatePerson(
  z.extend(customerFields, { customerNumber }),
);
const UNNUMBERED: z.ZodMiniType<CustomerInput> = withPrivatePerson(
  z.omit(customerFields, { customerNumber: true }),
);

const terms = laterCode(async () => import('./CustomerTerms.tsx'));

interface CustomerFormProps {
  readonly customer?: Customer;
  readonly save: Saving<CustomerInput, Customer>;
  readonly onSaved?: (customer: Customer) => void;
  readonly onCancel?: () => void;
  /** Shows only name and e-mail at first, for a customer created from another form. */
  readonly isBrief?: boolean;
  readonly prefilled?: Partial<Pick<Customer, 'name' | 'email'>>;
}

export function CustomerForm(props: CustomerFormProps) {
  const { customer, save, onSaved, onCancel, isBrief, prefilled } = props;
  const [numbered, setNumbered] = useState(false);
  const form = useSchemaForm(
    numbered ? NUMBERED : UNNUMBERED,
    initialValues(customer ?? prefilled),
  );
  // Loaded after the screen, which does not need it at first.
  useLaterCode(terms);
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
      editing={customer && { record: customer, valuesOf: initialValues, labels: LABELS, show }}
      extra={{ value: numbered, restore: setNumbered }}
      confirm={async () => !numbered || hasFreeNumber(form)}
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
          <Folded form={form} fields={[...DETAILS, ...TERMS]} note={REQUIRED_OF_INVOICES}>
            <div className="grid">
              <OrgNumberField form={form} />
              <PhoneField form={form} />
            </div>
            {others}
            <Terms form={form} />
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
          <Folded form={form} fields={TERMS} note="Kontaktperson, betaling og levering, land.">
            <Terms form={form} />
          </Folded>
        </>
      )}
      <div className="row gap-2">
        <Button type="submit" variant="primary" pending={save.isPending}>
          {isBrief ? 'Opprett kunde' : 'Lagre'}
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

/** Says at the field that a chosen number is taken, before the customer is saved. */
async function hasFreeNumber(form: CustomerFormState): Promise<boolean> {
  const number = form.getValues('customerNumber') ?? 0;
  const isTaken = await isCustomerNumberTaken(number);
  const message = `Kundenummer ${number} er i bruk. Velg et annet.`;
  if (isTaken) form.setError('customerNumber', { message });
  return !isTaken;
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
  ...TERMS_LABELS,
};

/** A field's value for people, where the default is not enough. */
function show(field: string, value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(String).map(readableEmail).join(', ') || 'Tomt';
  if (field === 'country') return countryName(String(value));
  // The box is ticked to have e-mail.
  if (field === 'ehfFirst') return value === false ? 'Ja' : 'Nei';
  return field === 'deliveryType' && value ? DELIVERY_TYPE_NAMES[value as DeliveryType] : undefined;
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
    country: customer?.country ?? HOME_COUNTRY,
    contactName: customer?.contactName ?? '',
    invoiceEmails: customer?.invoiceEmails?.map(readableEmail) ?? [],
    reference: customer?.reference ?? '',
    dueDays: customer?.dueDays ?? null,
    deliveryType: customer?.deliveryType ?? null,
    isPrivate: customer?.isPrivate ?? false,
    vatNumber: customer?.vatNumber ?? '',
    ehfFirst: customer?.ehfFirst ?? true,
  };
}

interface FieldsProps {
  readonly form: CustomerFormState;
}

function NameFields({ form }: FieldsProps) {
  const field = labelled(form, LABELS);
  return (
    <>
      <TextField required {...field('name')} />
      <TextField type="email" {...field('email')} />
    </>
  );
}

/** Not asked of a private person (CUS-15). */
function OrgNumberField({ form }: FieldsProps) {
  const hint = useRegisterLookup({
    orgNumber: form.watch('orgNumber'),
    storedNumber: form.formState.defaultValues?.orgNumber,
    of: 'firstSubUnit',
    onFound: ({ name, address1, address2, postalCode, city }) => {
      fillEmpty(form, { name });
      fillEmpty(form, { address1, address2, postalCode, city });
    },
  });
  const [isPrivate, country] = useWatch({ control: form.control, name: ['isPrivate', 'country'] });
  const isAsked = useFeature('einvoice') && country === HOME_COUNTRY && !form.watch('orgNumber');
  if (isPrivate) return null;
  return (
    <TextField
      inputMode="numeric"
      maxLength={40}
      {...labelled(form, LABELS)('orgNumber', tidied(tidyOrgNumber))}
      {...(isAsked ? { hint: WITHOUT_NUMBER } : hint)}
    />
  );
}

function PhoneField({ form }: FieldsProps) {
  const field = labelled(form, LABELS);
  return <TextField type="tel" {...field('phoneNumber', tidied(tidyPhoneNumber))} />;
}

const DETAILS = [
  'customerNumber',
  'orgNumber',
  'phoneNumber',
  'address1',
  'address2',
  'postalCode',
  'city',
] as const;

interface FoldedProps extends FieldsProps {
  readonly fields: readonly (keyof Draft<CustomerInput>)[];
  /** Shown while it is closed. */
  readonly note: string;
  readonly children: ReactNode;
}

/** Optional fields. Open while one of them has an error, and by default when one has a value. */
function Folded({ form, fields, note, children }: FoldedProps) {
  const [choice, setChoice] = useState<boolean>();
  const { errors } = form.formState;
  const values = useWatch({ control: form.control });
  const isFaulty = fields.some((field) => errors[field]);
  const isOpen = isFaulty || (choice ?? fields.some((field) => isFilledIn(field, values[field])));
  const id = useId();
  return (
    <div className="stack gap-4">
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
        {isOpen ? null : <p className="aside">{note}</p>}
      </div>
      <div id={id} className="stack gap-6 unless-empty">
        {isOpen ? children : null}
      </div>
    </div>
  );
}

function Terms({ form }: FieldsProps) {
  const code = useLaterCode(terms, { isNeeded: true, what: 'Feltene' });
  return code ? <code.CustomerTerms form={form} /> : null;
}

function isFilledIn(field: string, value: unknown): boolean {
  if (field === 'ehfFirst') return value === false;
  return Array.isArray(value) ? value.length > 0 : Boolean(value) && value !== HOME_COUNTRY;
}

function AddressFields({ form }: FieldsProps) {
  const field = labelled(form, LABELS);
  return (
    <fieldset className="stack gap-4">
      <legend>Adresse</legend>
      <p className="aside">{REQUIRED_OF_INVOICES}</p>
      <div className="grid">
        <TextField {...field('address1')} />
        <TextField {...field('address2')} />
        <TextField {...field('postalCode')} />
        <TextField {...field('city')} />
      </div>
    </fieldset>
  );
}

interface NumberChoiceProps extends FieldsProps {
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
