import { z } from 'zod';

import { wholeNumber } from '../api/validation.ts';
import { bankAccountNumber } from '../bank-account.ts';
import { KID_LENGTH_MAX, KID_LENGTH_MIN, KID_MODULI } from '../kid.ts';
import { basedOnVersion, version } from '../version.ts';

const modulus = z.enum(KID_MODULI).meta({ description: 'How the check digit is computed' });

/** The terms in the bank's letter. */
export const kidAgreementForm = z.object({
  /** A bank account of the company. */
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
