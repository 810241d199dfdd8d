import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { basedOnVersion, version, wholeNumber } from '../api/validation.ts';
import { KID_LENGTH_MAX, KID_LENGTH_MIN, KID_MODULI } from '../kid.ts';
import { bankAccountNumber } from '../parties.ts';

const modulus = described(z.enum(KID_MODULI), 'How the check digit is computed');

/** The terms in the bank's letter. */
export const kidAgreementForm = z.object({
  account: bankAccountNumber(),
  length: wholeNumber().check(z.minimum(KID_LENGTH_MIN), z.maximum(KID_LENGTH_MAX)),
  modulus,
  version: basedOnVersion,
});

export const kidAgreement = described(
  z.object({
    account: described(z.string(), 'Eleven digits; what new invoices are paid to'),
    length: described(z.int(), 'Digits of a KID, the check digit among them'),
    modulus,
    version,
  }),
  { id: 'KidAgreement' },
);

export type KidAgreement = z.infer<typeof kidAgreement>;
export type KidAgreementForm = z.output<typeof kidAgreementForm>;
