import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { optional, wholeNumber } from '../api/validation.ts';
import { requiredEmail } from '../text.ts';
import { treatmentOf, VAT_TREATMENT_NAMES, type VatTreatment } from '../vat-treatment.ts';

/** The account of each kind of posting, as four to ten digits. */
export interface ExportAccounts {
  readonly receivables: string;
  /** By the company's bank account number; accounts that are not named are on 1920. */
  readonly bank: Readonly<Record<string, string>>;
  /** By rate of VAT; what was 6 % is on the account of 12. */
  readonly vat: Readonly<Record<'25' | '15' | '12', string>>;
  readonly income: Readonly<Record<VatTreatment, string>>;
  /** Fees and compensations of reminders. */
  readonly fee: string;
  readonly interest: string;
}

export interface ExportSettings {
  readonly accounts: ExportAccounts;
  /** Added to customer numbers in files for Uni, which wants them within 100000 to 199999. */
  readonly customerOffset: number;
  readonly accountantEmail: string | null;
}

export const DEFAULT_BANK_ACCOUNT = '1920';

export const DEFAULT_ACCOUNTS: ExportAccounts = {
  receivables: '1500',
  bank: {},
  vat: { '25': '2700', '15': '2701', '12': '2702' },
  income: Object.fromEntries(
    VAT_TREATMENT_NAMES.map((name) => [name, treatmentOf(name).incomeAccount]),
  ) as Record<VatTreatment, string>,
  fee: '3900',
  interest: '8050',
};

/** The accounts that a company has chosen itself. */
export interface ChosenAccounts {
  readonly receivables?: string | null;
  readonly bank?: Readonly<Record<string, string>> | null;
  readonly vat?: Partial<Readonly<Record<keyof ExportAccounts['vat'], string | null>>> | null;
  readonly income?: Partial<Readonly<Record<VatTreatment, string | null>>> | null;
  readonly fee?: string | null;
  readonly interest?: string | null;
}

/** Chosen accounts, with the default for each that is left out (EXP-21). */
export function accountsOf(chosen: ChosenAccounts | null): ExportAccounts {
  const { receivables, fee, interest } = DEFAULT_ACCOUNTS;
  return {
    receivables: chosen?.receivables ?? receivables,
    bank: { ...chosen?.bank },
    vat: { ...DEFAULT_ACCOUNTS.vat, ...withoutNulls(chosen?.vat) },
    income: { ...DEFAULT_ACCOUNTS.income, ...withoutNulls(chosen?.income) },
    fee: chosen?.fee ?? fee,
    interest: chosen?.interest ?? interest,
  };
}

function withoutNulls(accounts: Readonly<Record<string, string | null>> | null | undefined) {
  return Object.fromEntries(
    Object.entries(accounts ?? {}).filter(([, account]) => account !== null),
  );
}

/** Largest number that is added to a customer's. */
const OFFSET_MAX = 100_000_000;
const BANK_ACCOUNTS_MAX = 100;

const accountNumber = z.string().check(z.regex(/^\d{4,10}$/, rule('{0} is invalid')));
const chosen = optional(accountNumber);

export const exportSettingsForm = z.object({
  accounts: optional(
    z.object({
      receivables: chosen,
      bank: optional(
        z
          .record(z.string().check(z.regex(/^\d{11}$/)), accountNumber)
          .check(
            z.refine(
              (accounts) => Object.keys(accounts).length <= BANK_ACCOUNTS_MAX,
              rule('{0} field must have less than or equal to {1} items', BANK_ACCOUNTS_MAX),
            ),
          ),
      ),
      vat: optional(z.object({ '25': chosen, '15': chosen, '12': chosen })),
      income: optional(
        z.object(
          Object.fromEntries(VAT_TREATMENT_NAMES.map((name) => [name, chosen])) as Record<
            VatTreatment,
            typeof chosen
          >,
        ),
      ),
      fee: chosen,
      interest: chosen,
    }),
  ),
  customerOffset: optional(wholeNumber().check(z.minimum(0), z.maximum(OFFSET_MAX))),
  accountantEmail: optional(requiredEmail()),
});
export type ExportSettingsForm = z.output<typeof exportSettingsForm>;

const account = z.string();

export const exportSettings = described(
  z.object({
    accounts: z.object({
      receivables: account,
      bank: z.record(z.string(), account),
      vat: z.object({ '25': account, '15': account, '12': account }),
      income: z.object(
        Object.fromEntries(VAT_TREATMENT_NAMES.map((name) => [name, account])) as Record<
          VatTreatment,
          typeof account
        >,
      ),
      fee: account,
      interest: account,
    }),
    customerOffset: z.int(),
    accountantEmail: z.nullable(z.string()),
  }),
  { id: 'ExportSettings' },
);
