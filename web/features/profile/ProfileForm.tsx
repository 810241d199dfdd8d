import { formatBankAccount, ORG_NUMBER_LENGTH } from '../../../domain/parties.ts';
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
import { fillEmpty, useRegisterLookup } from '../business-register/useRegisterLookup.ts';
import { PortalChoices } from '../portal/PortalChoices.tsx';
import { useCan, useFeature, useSession } from '../session/session.api.ts';
import { paths } from '../../lib/paths.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../../ui/Field.tsx';
import { labelled, tidied, useSchemaForm } from '../../forms/Form.tsx';
import { ControlledNumber, GuardedForm } from '../../forms/GuardedForm.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { Card } from '../../ui/Surface.tsx';
import {
  BankAccountFields,
  type ProfileDraft,
  type ProfileFormState,
} from './BankAccountFields.tsx';
import styles from './ProfilePage.module.css';
import { useUpdateProfile } from './profile.api.ts';

const LABELS = {
  orgNumber: 'Organisasjonsnummer',
  companyName: 'Firmanavn',
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
  defaultQuoteTerms: 'Forbehold og vilkår på tilbud',
};

export function ProfileForm({ profile }: { profile: Profile }) {
  const save = useUpdateProfile();
  const hasVat = useFeature('vat');
  const hasPortal = useFeature('portal');
  const isOwn = useCan('profile');
  const { session } = useSession();
  // The owner who begins mostly gets the customers' answers too.
  const proposed = isOwn ? session?.email : undefined;
  const valuesOf = (stored: Profile) => initialValues(stored, proposed);
  const form = useSchemaForm(hasVat ? profileFormWithVat : profileForm, valuesOf(profile));
  return (
    <GuardedForm
      form={form}
      name="profile"
      editing={{ record: profile, valuesOf, labels: LABELS }}
      save={save}
      className="stack"
      label="Profil"
    >
      <Card heading="Bedriften">
        <CompanyFields form={form} />
      </Card>
      <Card heading="Adresse">
        <AddressFields form={form} />
      </Card>
      <div id="invoicing">
        <Card heading="Fakturering">
          <InvoicingFields form={form} profile={profile} />
          {hasPortal && profile.isProfileCompleted ? <PortalChoices /> : null}
        </Card>
      </div>
      <div className="row gap-2" aria-live="polite">
        <Button type="submit" variant="primary" wide pending={save.isPending}>
          Oppdater
        </Button>
        {/* PRO-16 */}
        {isOwn && profile.isProfileCompleted && !profile.hasCreatedInvoice ? (
          <ButtonLink wide to={paths.invoiceCreate()} icon={<PlusIcon />}>
            Lag din første faktura
          </ButtonLink>
        ) : null}
      </div>
    </GuardedForm>
  );
}

/** @param email proposed while the company has none */
function initialValues(profile: Profile, email = ''): ProfileDraft {
  const accounts = profile.bankAccounts.map((account) => ({
    ...account,
    bankAccountNumber: formatBankAccount(account.bankAccountNumber),
  }));
  return {
    companyName: profile.companyName ?? '',
    orgNumber: profile.orgNumber ?? '',
    vatRegistered: profile.vatRegistered ?? false,
    foretaksregisteret: profile.foretaksregisteret ?? false,
    email: readableEmail(profile.email ?? email),
    billingAddress1: profile.billingAddress1 ?? '',
    billingAddress2: profile.billingAddress2 ?? '',
    billingPostalCode: profile.billingPostalCode ?? '',
    billingCity: profile.billingCity ?? '',
    startInvoiceNumber: profile.startInvoiceNumber,
    defaultMessage: profile.defaultMessage ?? '',
    defaultVatTreatment: profile.defaultVatTreatment ?? null,
    defaultQuoteTerms: profile.defaultQuoteTerms ?? '',
    bankAccounts: accounts.length > 0 ? accounts : [{ bankAccountNumber: '', isPrimary: true }],
  };
}

function CompanyFields({ form }: { form: ProfileFormState }) {
  const field = labelled(form, LABELS);
  const orgNumber = form.watch('orgNumber');
  const hint = useRegisterLookup({
    orgNumber,
    storedNumber: form.formState.defaultValues?.orgNumber,
    // The seller itself, not the place where it works (PRO-15).
    of: 'unit',
    onFound: ({ name, address1, address2, postalCode, city, ...registered }) => {
      fillEmpty(form, { companyName: name });
      fillEmpty(form, {
        billingAddress1: address1,
        billingAddress2: address2,
        billingPostalCode: postalCode,
        billingCity: city,
      });
      fillEmpty(form, registered);
      keepDefaultAllowed(form);
    },
  });
  return (
    <div className="grid">
      <TextField
        required
        inputMode="numeric"
        {...field('orgNumber', tidied(tidyOrgNumber))}
        hint={
          orgNumber.length < ORG_NUMBER_LENGTH
            ? 'Begynn her, så henter vi navn og adresse.'
            : undefined
        }
        {...hint}
      />
      <TextField required autoComplete="organization" {...field('companyName')} />
      <TextField
        required
        type="email"
        autoComplete="email"
        hint="Svar fra kundene kommer hit."
        {...field('email')}
      />
      <div className="row whole-row">
        <Checkbox {...field('vatRegistered', { onChange: () => keepDefaultAllowed(form) })} />
        <Checkbox {...field('foretaksregisteret')} />
      </div>
    </div>
  );
}

function AddressFields({ form }: { form: ProfileFormState }) {
  const field = labelled(form, LABELS);
  return (
    <div className="grid">
      <TextField required autoComplete="address-line1" {...field('billingAddress1')} />
      <TextField autoComplete="address-line2" {...field('billingAddress2')} />
      <div className={`grid ${styles.place}`}>
        <TextField
          required
          inputMode="numeric"
          autoComplete="postal-code"
          {...field('billingPostalCode')}
        />
        <TextField required autoComplete="address-level2" {...field('billingCity')} />
      </div>
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
      required
      hint="Kan endres på hver linje."
      {...labelled(form, LABELS)('defaultVatTreatment')}
      options={offered.map((name) => [name, treatmentOf(name).label])}
    />
  );
}

function InvoicingFields({ form, profile }: { form: ProfileFormState; profile: Profile }) {
  // The first visit asks for what an invoice needs alone (PRO-11).
  const hasTerms = useFeature('quotes') && profile.isProfileCompleted;
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
        hint="Fylles inn på nye fakturaer, der du kan endre den. Den står over linjene og i e-posten."
        {...labelled(form, LABELS)('defaultMessage')}
      />
      {hasTerms ? (
        <TextArea
          rows={5}
          hint="Fylles inn på nye tilbud, der du kan endre dem."
          {...labelled(form, LABELS)('defaultQuoteTerms')}
        />
      ) : null}
    </div>
  );
}
