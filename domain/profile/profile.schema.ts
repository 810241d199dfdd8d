import { z } from 'zod';

import { rule } from '../api/rules.ts';
import { needs, wholeNumber, optional, basedOnVersion, version } from '../api/validation.ts';
import { bankAccountNumber, ORG_NUMBER_LENGTH } from '../parties.ts';
import {
  boundedText,
  exactText,
  optionalText,
  requiredEmail,
  requiredText,
  statedMultilineText,
  tidyOrgNumber,
} from '../text.ts';
import { vatTreatment } from '../vat-treatment.ts';
import { KID_LENGTH_MAX, KID_LENGTH_MIN, KID_MODULI } from '../kid.ts';

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
    .refine(hasNoDuplicates, { ...rule('{0} must not list the same account twice'), when: needs() })
    .refine((accounts) => accounts.filter((account) => account.isPrimary).length <= 1, {
      ...rule('{0} must have only one primary account'),
      when: needs(),
    }),
  defaultMessage: statedMultilineText(MESSAGE_LENGTH).meta({
    description:
      'What invoices tell their customers unless they say otherwise. Absent keeps what is stored',
  }),
  version: basedOnVersion,
});

/** Input for the company profile while `vat` is on. */
export const profileFormWithVat = profileForm
  .extend({
    /** Absent keeps what is stored. */
    defaultVatTreatment: optional(vatTreatment),
  })
  .refine((form) => !form.vatRegistered || form.defaultVatTreatment !== 'NOT_REGISTERED', {
    ...rule('{0} is for companies that are not VAT-registered'),
    path: ['defaultVatTreatment'],
    when: needs('vatRegistered', 'defaultVatTreatment'),
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
    defaultVatTreatment: vatTreatment.optional().meta({
      description: 'That new lines begin with. With the feature vat',
    }),
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
export type ProfileForm = z.output<typeof profileForm> &
  Partial<Pick<z.output<typeof profileFormWithVat>, 'defaultVatTreatment'>>;

const modulus = z.enum(KID_MODULI).meta({ description: 'How the check digit is computed' });

/** The terms in the bank's letter. */
export const kidAgreementForm = z.object({
  account: bankAccountNumber(),
  length: wholeNumber().min(KID_LENGTH_MIN).max(KID_LENGTH_MAX),
  modulus,
  version: basedOnVersion,
});

export const kidAgreement = z
  .object({
    account: z.string().meta({ description: 'Eleven digits; what new invoices are paid to' }),
    length: z.number().int().meta({ description: 'Digits of a KID, the check digit among them' }),
    modulus,
    version,
  })
  .meta({ id: 'KidAgreement' });

export type KidAgreement = z.infer<typeof kidAgreement>;
export type KidAgreementForm = z.output<typeof kidAgreementForm>;

/** Largest size of a logo file, in bytes. */
export const LOGO_BYTES_MAX = 1024 * 1024;

/** Accepted media types of a logo. */
export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;

/** The box for a logo on paper (mm). */
export const LOGO_BOX = { width: 60, height: 20 } as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Size of a logo in a box, in the unit of the box: it fills one dimension and keeps its proportions.
 *
 * @param png its first chunk has the size in pixels (ISO/IEC 15948 § 11.2.2)
 * @param pixel largest size of one pixel; unlimited when absent
 */
export function fitLogo(png: Uint8Array, box: Size, pixel = Infinity): Size {
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [header.getUint32(16), header.getUint32(20)];
  const scale = Math.min(box.width / width, box.height / height, pixel);
  return { width: width * scale, height: height * scale };
}
