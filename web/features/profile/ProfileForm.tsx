import { formatBankAccount, isValidOrgNumber } from '../../../domain/parties.ts';
import { readableEmail } from '../../../domain/email.ts';
import { tidyOrgNumber } from '../../../domain/text.ts';
import {
  profileForm,
  profileFormWithVat,
  START_INVOICE_NUMBER_MAX,
  type Profile,
} from '../../../domain/profile/profile.schema.ts';
import {
  maySellerUse,
  treatmentOf,
  treatmentOfNew,
  VAT_TREATMENT_NAMES,
} from '../../../domain/vat-treatment.ts';
import { useFeature } from '../session/session.api.ts';
import { SubmitButton } from '../../ui/Button.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../../ui/Field.tsx';
import { fieldProps, tidied, useSchemaForm } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { ControlledNumber } from '../../forms/Controlled.tsx';
import { Card } from '../../ui/Surface.tsx';
import {
  BankAccountFields,
  type ProfileDraft,
  type ProfileFormState,
} from './BankAccountFields.tsx';
import { useUpdateProfile } from './profile.api.ts';

const LABELS = {
  companyName: 'Firmanavn',
  orgNumber: 'Organisasjonsnummer',
  vatRegistered: 'Registrert i Merverdiavgiftsregisteret',
  foretaksregisteret: 'Registrert i Foretaksregisteret',
  email: 'E-post',
  billingAddress1: 'Fakturaadresse',
  billingAddress2: 'Fakturaadresse, linje 2',
  billingPostalCode: 'Postnummer',
  billingCity: 'Poststed',
  startInvoiceNumber: 'Første fakturanummer',
  bankAccounts: 'Bankkontoer',
  defaultMessage: 'Melding til kunden',
  defaultVatTreatment: 'Mva. på nye linjer',
};

export function ProfileForm({ profile }: { profile: Profile }) {
  const save = useUpdateProfile();
  const hasVat = useFeature('vat');
  const form = useSchemaForm(hasVat ? profileFormWithVat : profileForm, initialValues(profile));
  return (
    <GuardedForm
      form={form}
      name="profile"
      editing={{ record: profile, valuesOf: initialValues, labels: LABELS }}
      save={save}
      className="stack"
      label="Profil"
    >
      <div id="company" tabIndex={-1}>
        <Card heading="Bedriften">
          <CompanyFields form={form} />
        </Card>
      </div>
      <Card heading="Adresse">
        <AddressFields form={form} />
      </Card>
      <div id="invoicing" tabIndex={-1}>
        <Card heading="Fakturering">
          <InvoicingFields form={form} profile={profile} />
        </Card>
      </div>
      <SubmitButton pending={save.isPending}>Oppdater</SubmitButton>
    </GuardedForm>
  );
}

function initialValues(profile: Profile): ProfileDraft {
  const accounts = profile.bankAccounts.map((account) => ({
    ...account,
    bankAccountNumber: formatBankAccount(account.bankAccountNumber),
  }));
  return {
    companyName: profile.companyName ?? '',
    orgNumber: profile.orgNumber ?? '',
    vatRegistered: profile.vatRegistered ?? false,
    foretaksregisteret: profile.foretaksregisteret ?? false,
    email: readableEmail(profile.email ?? ''),
    billingAddress1: profile.billingAddress1 ?? '',
    billingAddress2: profile.billingAddress2 ?? '',
    billingPostalCode: profile.billingPostalCode ?? '',
    billingCity: profile.billingCity ?? '',
    startInvoiceNumber: profile.startInvoiceNumber,
    defaultMessage: profile.defaultMessage ?? '',
    defaultVatTreatment: profile.defaultVatTreatment ?? null,
    bankAccounts: accounts.length > 0 ? accounts : [{ bankAccountNumber: '', isPrimary: true }],
  };
}

function CompanyFields({ form }: { form: ProfileFormState }) {
  const orgNumber = form.watch('orgNumber');
  const doubtful = /^\d{9}$/.test(orgNumber) && !isValidOrgNumber(orgNumber);
  return (
    <div className="grid">
      <TextField
        label={LABELS.companyName}
        required
        autoComplete="organization"
        {...fieldProps(form, 'companyName')}
      />
      <TextField
        label={LABELS.orgNumber}
        required
        inputMode="numeric"
        {...fieldProps(form, 'orgNumber', tidied(tidyOrgNumber))}
        hint={doubtful ? 'Kontroller organisasjonsnummeret: kontrollsifferet stemmer ikke.' : ''}
        hintTone="warning"
      />
      <TextField
        label={LABELS.email}
        required
        type="email"
        autoComplete="email"
        hint="Svar fra kundene kommer hit."
        {...fieldProps(form, 'email')}
      />
      <div className="row whole-row">
        <Checkbox
          label={LABELS.vatRegistered}
          {...form.register('vatRegistered', { onChange: () => keepDefaultAllowed(form) })}
        />
        <Checkbox label={LABELS.foretaksregisteret} {...form.register('foretaksregisteret')} />
      </div>
    </div>
  );
}

function AddressFields({ form }: { form: ProfileFormState }) {
  return (
    <div className="grid">
      <TextField
        label={LABELS.billingAddress1}
        required
        autoComplete="address-line1"
        {...fieldProps(form, 'billingAddress1')}
      />
      <TextField
        label={LABELS.billingAddress2}
        autoComplete="address-line2"
        {...fieldProps(form, 'billingAddress2')}
      />
      <TextField
        label={LABELS.billingPostalCode}
        required
        inputMode="numeric"
        autoComplete="postal-code"
        {...fieldProps(form, 'billingPostalCode')}
      />
      <TextField
        label={LABELS.billingCity}
        required
        autoComplete="address-level2"
        {...fieldProps(form, 'billingCity')}
      />
    </div>
  );
}

/** Keeps the treatment of new lines one that the company may use. */
function keepDefaultAllowed(form: ProfileFormState): void {
  const { defaultVatTreatment: chosen, vatRegistered } = form.getValues();
  if (chosen == null) return;
  form.setValue('defaultVatTreatment', treatmentOfNew(chosen, vatRegistered));
}

function DefaultTreatmentField({ form }: { form: ProfileFormState }) {
  const isRegistered = form.watch('vatRegistered');
  const offered = VAT_TREATMENT_NAMES.filter((name) => maySellerUse(name, isRegistered));
  return (
    <SelectField
      label={LABELS.defaultVatTreatment}
      required
      hint="Kan endres på hver linje."
      {...fieldProps(form, 'defaultVatTreatment')}
      options={offered.map((name) => [name, treatmentOf(name).label])}
    />
  );
}

function InvoicingFields({ form, profile }: { form: ProfileFormState; profile: Profile }) {
  return (
    <div className="stack gap-6">
      <BankAccountFields form={form} />
      <div className="grid">
        <ControlledNumber
          control={form.control}
          name="startInvoiceNumber"
          label={LABELS.startInvoiceNumber}
          required
          min={1}
          max={START_INVOICE_NUMBER_MAX}
          disabled={profile.hasCreatedInvoice}
          hint={
            profile.hasCreatedInvoice
              ? 'Kan ikke endres etter at den første fakturaen er laget.'
              : 'Kan ikke endres etter at du har laget den første fakturaen.'
          }
        />
        {useFeature('vat') ? <DefaultTreatmentField form={form} /> : null}
      </div>
      <TextArea
        label={LABELS.defaultMessage}
        hint="Fylles inn på nye fakturaer, der du kan endre den. Den står over linjene og i e-posten."
        {...fieldProps(form, 'defaultMessage')}
      />
    </div>
  );
}
