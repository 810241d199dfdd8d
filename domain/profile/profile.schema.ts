import { z } from 'zod/mini';

import { described } from '../api/described.ts';
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

/** Keeps invoice numbers within the ten digits of a KID. */
export const START_INVOICE_NUMBER_MAX = 999_999_999;
/** PRO-1. */
const BANK_ACCOUNTS_MAX = 50;
/** Longest message of an invoice to its customer. */
export const MESSAGE_LENGTH = 1000;
/** Longest terms of a quote (QUO-1). */
export const QUOTE_TERMS_LENGTH = 4000;

const profileBankAccount = z.object({
  bankAccountNumber: bankAccountNumber(),
  isPrimary: z.pipe(
    optional(z.boolean()),
    z.transform((isPrimary: boolean | null) => isPrimary === true),
  ),
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
  startInvoiceNumber: optional(
    wholeNumber().check(z.positive(), z.maximum(START_INVOICE_NUMBER_MAX)),
  ),
  bankAccounts: z.array(profileBankAccount).check(
    z.minLength(1),
    z.maxLength(BANK_ACCOUNTS_MAX),
    z.refine(hasNoDuplicates, {
      ...rule('{0} must not list the same account twice'),
      when: needs(),
    }),
    z.refine((accounts) => accounts.filter((account) => account.isPrimary).length <= 1, {
      ...rule('{0} must have only one primary account'),
      when: needs(),
    }),
  ),
  defaultMessage: described(
    statedMultilineText(MESSAGE_LENGTH),
    'What invoices tell their customers unless they say otherwise. Absent keeps what is stored',
  ),
  defaultQuoteTerms: described(
    statedMultilineText(QUOTE_TERMS_LENGTH),
    'The terms of quotes that have none of their own. Absent keeps what is stored. With the feature quotes',
  ),
  version: basedOnVersion,
});

/** Input for the company profile while `vat` is on. */
export const profileFormWithVat = z
  .extend(profileForm, {
    /** Absent keeps what is stored. */
    defaultVatTreatment: optional(vatTreatment),
  })
  .check(
    z.refine((form) => !form.vatRegistered || form.defaultVatTreatment !== 'NOT_REGISTERED', {
      ...rule('{0} is for companies that are not VAT-registered'),
      path: ['defaultVatTreatment'],
      when: needs('vatRegistered', 'defaultVatTreatment'),
    }),
  );

function hasNoDuplicates(accounts: { bankAccountNumber: string }[]): boolean {
  const numbers = accounts.map((account) => account.bankAccountNumber).filter(Boolean);
  return new Set(numbers).size === numbers.length;
}

/** The company in answers of the API; null for a field that is not filled in. */
export const profile = described(
  z.object({
    companyName: z.nullable(z.string()),
    orgNumber: z.nullable(z.string()),
    vatRegistered: z.nullable(z.boolean()),
    foretaksregisteret: z.nullable(z.boolean()),
    email: z.nullable(z.string()),
    billingAddress1: z.nullable(z.string()),
    billingAddress2: z.nullable(z.string()),
    billingPostalCode: z.nullable(z.string()),
    billingCity: z.nullable(z.string()),
    startInvoiceNumber: z.int(),
    defaultMessage: z.nullable(z.string()),
    defaultQuoteTerms: described(z.nullish(z.string()), 'With the feature quotes'),
    defaultVatTreatment: described(
      z.optional(vatTreatment),
      'That new lines begin with. With the feature vat',
    ),
    hasCreatedInvoice: z.boolean(),
    isProfileCompleted: z.boolean(),
    isStaff: z.boolean(),
    bankAccounts: z.array(z.object({ bankAccountNumber: z.string(), isPrimary: z.boolean() })),
    /** SHA-256, in hex, of the logo on new documents. */
    logo: z.nullable(z.string()),
    version,
  }),
  { id: 'Profile' },
);

export type Profile = z.infer<typeof profile>;
export type ProfileForm = z.output<typeof profileForm> &
  Partial<Pick<z.output<typeof profileFormWithVat>, 'defaultVatTreatment'>>;

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
