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
import { ControlledNumber, GuardedForm } from '../../forms/GuardedForm.tsx';
import { fieldProps, labelled, useSchemaForm, type Draft } from '../../forms/Form.tsx';
import { SubmitButton } from '../../ui/Button.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { profileQuery } from '../profile/profile.api.ts';
import { useFeature } from '../session/session.api.ts';
import { exportSettingsQuery, useSaveExportSettings } from '../export/export.api.ts';

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
  const accounts = accountsOf(form, profile.vatRegistered ?? false, useFeature('vat'));
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
      {Object.entries<readonly Account[]>(accounts).map(([legend, fields]) => (
        <fieldset key={legend} className="stack gap-3">
          <legend className="strong">{legend}</legend>
          <div className="grid narrow">
            {fields.map(([name, label, hint, standard]) => (
              <TextField
                key={name}
                label={label}
                required
                inputMode="numeric"
                placeholder={standard}
                hint={hint}
                {...fieldProps(form, name)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <SubmitButton pending={save.isPending}>Oppdater eksport</SubmitButton>
    </GuardedForm>
  );
}

/** The place of an account, its label and hint, and the number that is taken when it is left empty. */
type Account = readonly [
  name: FieldPath<SettingsDraft>,
  label: string,
  hint: string,
  standard: string,
];

/** The accounts of money, of the VAT that is owed, and of income: one for each treatment that a line can have. */
function accountsOf(form: SettingsForm, isRegistered: boolean, hasTreatments: boolean) {
  const { receivables, fee, interest, vat, income } = DEFAULT_ACCOUNTS;
  const rates = (['25', '15', '12'] as const).filter((rate) => hasTreatments || isOffered(rate));
  const ofRates = new Set<VatTreatment>(
    OFFERED_VAT_RATES.map((rate) => treatmentOfRate(rate, isRegistered)),
  );
  const treatments = VAT_TREATMENT_NAMES.filter((name) => hasTreatments || ofRates.has(name));
  return {
    'Penger inn': [
      ['accounts.receivables', 'Kundefordringer', 'Det kundene skylder deg.', receivables],
      ...Object.keys(form.getValues('accounts.bank')).map((number): Account => {
        const label = `Bankkonto ${formatBankAccount(number)}`;
        const hint = 'Det kundene har betalt inn hit.';
        return [`accounts.bank.${number}`, label, hint, DEFAULT_BANK_ACCOUNT];
      }),
      ['accounts.fee', 'Purregebyr', 'Gebyrer som kundene har betalt.', fee],
      ['accounts.interest', 'Forsinkelsesrenter', 'Renter som kundene har betalt.', interest],
    ],
    'Mva. du skylder': rates.map((rate) => {
      const hint = 'Mva. som du skal betale videre til staten.';
      return [`accounts.vat.${rate}`, `Mva. ${rate} %`, hint, vat[rate]];
    }),
    Salg: treatments.map((name) => {
      const label = `Salg: ${treatmentOf(name).label}`;
      return [`accounts.income.${name}`, label, INCOME_HINTS[name], income[name]];
    }),
  } satisfies Readonly<Record<string, readonly Account[]>>;
}

/** Whether lines may have the rate while `vat` is off. */
function isOffered(rate: string): boolean {
  return OFFERED_VAT_RATES.some((offered) => String(offered) === rate);
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
