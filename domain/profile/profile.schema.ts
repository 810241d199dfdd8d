import { z } from 'zod';

import { needs, wholeNumber } from '../api/validation.ts';
import { bankAccountNumber } from '../bank-account.ts';
import { optional } from '../optional.ts';
import { ORG_NUMBER_LENGTH } from '../org-number.ts';
import {
  boundedText,
  exactText,
  optionalText,
  requiredEmail,
  requiredText,
  statedMultilineText,
} from '../text.ts';
import { tidyOrgNumber } from '../typed-digits.ts';
import { basedOnVersion, version } from '../version.ts';

/** Keeps invoice numbers within the ten digits of a KID. */
export const START_INVOICE_NUMBER_MAX = 999_999_999;
/** PRO-1. */
const BANK_ACCOUNTS_MAX = 50;
/** Longest message of an invoice to its customer. */
export const MESSAGE_LENGTH = 1000;

const profileBankAccount = z.object({
  bankAccountNumber: bankAccountNumber(),
  isPrimary: optional(z.boolean()).transform(Boolean),
});

/** Input for the company profile. */
export const profileForm = z.object({
  companyName: requiredText(),
  orgNumber: exactText(ORG_NUMBER_LENGTH, tidyOrgNumber),
  vatRegistered: z.boolean(),
  foretaksregisteret: z.boolean(),
  email: requiredEmail(),
  billingAddress1: requiredText(),
  billingAddress2: optionalText(),
  billingPostalCode: boundedText(3, 5),
  billingCity: requiredText(),
  /** Absent keeps the stored number. */
  startInvoiceNumber: optional(wholeNumber().positive().max(START_INVOICE_NUMBER_MAX)),
  bankAccounts: z
    .array(profileBankAccount)
    .min(1)
    .max(BANK_ACCOUNTS_MAX)
    .refine(hasNoDuplicates, { message: 'must not list the same account twice', when: needs() })
    .refine((accounts) => accounts.filter((account) => account.isPrimary).length <= 1, {
      message: 'must have only one primary account',
      when: needs(),
    }),
  defaultMessage: statedMultilineText(MESSAGE_LENGTH).meta({
    description:
      'What invoices tell their customers unless they say otherwise. Absent keeps what is stored',
  }),
  version: basedOnVersion,
});

function hasNoDuplicates(accounts: { bankAccountNumber: string }[]): boolean {
  const numbers = accounts.map((account) => account.bankAccountNumber).filter(Boolean);
  return new Set(numbers).size === numbers.length;
}

/** The company in answers of the API; null for a field that is not filled in. */
export const profile = z
  .object({
    companyName: z.string().nullable(),
    orgNumber: z.string().nullable(),
    vatRegistered: z.boolean().nullable(),
    foretaksregisteret: z.boolean().nullable(),
    email: z.string().nullable(),
    billingAddress1: z.string().nullable(),
    billingAddress2: z.string().nullable(),
    billingPostalCode: z.string().nullable(),
    billingCity: z.string().nullable(),
    startInvoiceNumber: z.number().int(),
    defaultMessage: z.string().nullable(),
    hasCreatedInvoice: z.boolean(),
    isProfileCompleted: z.boolean(),
    isStaff: z.boolean(),
    bankAccounts: z.array(z.object({ bankAccountNumber: z.string(), isPrimary: z.boolean() })),
    /** SHA-256, in hex, of the logo on new documents. */
    logo: z.string().nullable(),
    version,
  })
  .meta({ id: 'Profile' });

export type Profile = z.infer<typeof profile>;
export type ProfileForm = z.output<typeof profileForm>;
