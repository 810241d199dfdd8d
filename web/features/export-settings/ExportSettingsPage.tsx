import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { FieldPath, UseFormReturn } from 'react-hook-form';

import {
  DEFAULT_ACCOUNTS,
  DEFAULT_BANK_ACCOUNT,
  type ExportSettings,
  exportSettingsForm,
  type ExportSettingsForm as ExportSettingsValues,
} from '../../../domain/export/export-settings.schema.ts';
import { OFFERED_VAT_RATES } from '../../../domain/invoice/invoice-line.schema.ts';
import { formatBankAccount } from '../../../domain/parties.ts';
import type { Profile } from '../../../domain/profile/profile.schema.ts';
import {
  treatmentOf,
  treatmentOfRate,
  VAT_TREATMENT_NAMES,
  type VatTreatment,
} from '../../../domain/vat-treatment.ts';
import { ControlledNumber } from '../../forms/Controlled.tsx';
import { fieldProps, labelled, useSchemaForm, type Draft } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { SubmitButton } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { TextField } from '../../ui/Field.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { profileQuery } from '../profile/profile.api.ts';
import { useCan, useFeature } from '../session/session.api.ts';
import { exportSettingsQuery, useSaveExportSettings } from './export-settings.api.ts';

type SettingsDraft = Draft<ExportSettings>;
type SettingsForm = UseFormReturn<SettingsDraft, unknown, ExportSettingsValues>;

const LABELS = {
  accountantEmail: 'Regnskapsførers e-post',
  customerOffset: 'Kundenummer i Uni begynner på',
  accounts: 'Kontoer',
};

/** The accounts that exports book on, and the accountant (EXP-90). */
export function ExportSettingsPage() {
  const settings = useQuery(exportSettingsQuery);
  const profile = useQuery(profileQuery);
  if (!useCan('export')) return <NotFound />;
  return (
    <Page heading="Kontoer for eksport" width="form">
      <p className="soft lead">
        Når du eksporterer til et regnskapsprogram, sier filen hvilken konto hvert beløp hører til.
        Numrene her passer for de fleste. Spør regnskapsføreren før du endrer dem.
      </p>
      <Card>
        <Fetched query={profile} pending={<Skeleton height="420px" />}>
          {(company) => (
            <Fetched query={settings} pending={<Skeleton height="420px" />}>
              {(stored) => (
                <ExportSettingsForm
                  key={company.bankAccounts.map((one) => one.bankAccountNumber).join()}
                  settings={stored}
                  profile={company}
                />
              )}
            </Fetched>
          )}
        </Fetched>
      </Card>
    </Page>
  );
}

function ExportSettingsForm({ settings, profile }: { settings: ExportSettings; profile: Profile }) {
  const save = useSaveExportSettings();
  const form = useSchemaForm(exportSettingsForm, valuesOf(settings, profile));
  return (
    <GuardedForm
      form={form}
      name="export-settings"
      editing={{
        record: settings,
        valuesOf: (stored) => valuesOf(stored, profile),
        labels: LABELS,
      }}
      save={save}
      className="stack"
      label="Eksport"
    >
      <div className="grid">
        <TextField
          type="email"
          hint="Foreslås når du sender en eksport til regnskapsføreren."
          {...labelled(form, LABELS)('accountantEmail')}
        />
        <ControlledNumber
          control={form.control}
          name="customerOffset"
          label={LABELS.customerOffset}
          min={0}
          hint="Uni vil ha kundenumre fra 100000. Skriv 100000, så blir kunde 42 til 100042."
        />
      </div>
      <MoneyAccounts form={form} />
      <IncomeAccounts form={form} isRegistered={profile.vatRegistered ?? false} />
      <SubmitButton pending={save.isPending}>Oppdater eksport</SubmitButton>
    </GuardedForm>
  );
}

function MoneyAccounts({ form }: { form: SettingsForm }) {
  const hasTreatments = useFeature('vat');
  return (
    <>
      <Accounts legend="Penger inn">
        <Account
          form={form}
          name="accounts.receivables"
          label="Kundefordringer"
          hint="Det kundene skylder deg."
          standard={DEFAULT_ACCOUNTS.receivables}
        />
        {Object.keys(form.getValues('accounts.bank')).map((number) => (
          <Account
            key={number}
            form={form}
            name={`accounts.bank.${number}`}
            label={`Bankkonto ${formatBankAccount(number)}`}
            hint="Det kundene har betalt inn hit."
            standard={DEFAULT_BANK_ACCOUNT}
          />
        ))}
        <Account
          form={form}
          name="accounts.fee"
          label="Purregebyr"
          hint="Gebyrer som kundene har betalt."
          standard={DEFAULT_ACCOUNTS.fee}
        />
        <Account
          form={form}
          name="accounts.interest"
          label="Forsinkelsesrenter"
          hint="Renter som kundene har betalt."
          standard={DEFAULT_ACCOUNTS.interest}
        />
      </Accounts>
      <Accounts legend="Mva. du skylder">
        {(['25', '15', '12'] as const)
          .filter((rate) => hasTreatments || isOffered(rate))
          .map((rate) => (
            <Account
              key={rate}
              form={form}
              name={`accounts.vat.${rate}`}
              label={`Mva. ${rate} %`}
              hint="Mva. som du skal betale videre til staten."
              standard={DEFAULT_ACCOUNTS.vat[rate]}
            />
          ))}
      </Accounts>
    </>
  );
}

/** Whether lines may have the rate while `vat` is off. */
function isOffered(rate: string): boolean {
  return OFFERED_VAT_RATES.some((offered) => String(offered) === rate);
}

/** The accounts of income: one for each treatment that a line can have. */
function IncomeAccounts({ form, isRegistered }: { form: SettingsForm; isRegistered: boolean }) {
  const hasTreatments = useFeature('vat');
  const ofRates = new Set<VatTreatment>(
    OFFERED_VAT_RATES.map((rate) => treatmentOfRate(rate, isRegistered)),
  );
  return (
    <Accounts legend="Salg">
      {VAT_TREATMENT_NAMES.filter((name) => hasTreatments || ofRates.has(name)).map((name) => (
        <Account
          key={name}
          form={form}
          name={`accounts.income.${name}`}
          label={`Salg: ${treatmentOf(name).label}`}
          hint={INCOME_HINTS[name]}
          standard={DEFAULT_ACCOUNTS.income[name]}
        />
      ))}
    </Accounts>
  );
}

const INCOME_HINTS: Readonly<Record<VatTreatment, string>> = {
  STANDARD: 'Det meste av varer og tjenester.',
  FOOD: 'Mat og drikke.',
  REDUCED: 'Blant annet persontransport, overnatting og kino.',
  EXEMPT: 'Salg uten mva. som likevel er med i mva-meldingen, som bøker.',
  EXPORT: 'Salg til utlandet.',
  OUTSIDE: 'Blant annet helse, undervisning og kontingenter.',
  REVERSE: 'Salg der kjøperen selv beregner mva.',
  NOT_REGISTERED: 'Salg mens bedriften ikke er registrert for mva.',
};

function Accounts({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="stack gap-3">
      <legend className="strong">{legend}</legend>
      <div className="grid narrow">{children}</div>
    </fieldset>
  );
}

interface AccountProps {
  readonly form: SettingsForm;
  readonly name: FieldPath<SettingsDraft>;
  readonly label: string;
  readonly hint: string;
  /** Taken when the field is left empty. */
  readonly standard: string;
}

function Account({ form, name, label, hint, standard }: AccountProps) {
  return (
    <TextField
      label={label}
      required
      inputMode="numeric"
      placeholder={standard}
      hint={hint}
      {...fieldProps(form, name)}
    />
  );
}

/** The stored settings, with an account for each bank account of the profile. */
function valuesOf(settings: ExportSettings, { bankAccounts }: Profile): SettingsDraft {
  const { accounts, customerOffset, accountantEmail } = settings;
  const unnamed = new Map(
    bankAccounts.map(({ bankAccountNumber }) => [bankAccountNumber, DEFAULT_BANK_ACCOUNT]),
  );
  return {
    accounts: {
      ...accounts,
      bank: Object.fromEntries([...unnamed, ...Object.entries(accounts.bank)]),
      vat: { ...accounts.vat },
      income: { ...accounts.income },
    },
    customerOffset,
    accountantEmail: accountantEmail ?? '',
  };
}
