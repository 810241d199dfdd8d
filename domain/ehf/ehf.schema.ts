import { z } from 'zod/mini';

import { described } from '../api/described.ts';

/** A company's EHF agreement: the company requests it, an operator approves or revokes it (EHF-2, EHF-3). */
const EHF_AGREEMENT_STATUSES = ['NONE', 'REQUESTED', 'ACTIVE', 'REVOKED'] as const;
export type EhfAgreementStatus = (typeof EHF_AGREEMENT_STATUSES)[number];

/** Whether a customer can receive EHF. UNKNOWN: the network did not answer. */
export const REACHABILITIES = [
  'REACHABLE',
  'NOT_REGISTERED',
  'FORMAT_UNSUPPORTED',
  'UNKNOWN',
] as const;
export type Reachability = (typeof REACHABILITIES)[number];

/** On screen, after who was asked: 'ELMA-oppslag …: kan motta EHF'. */
export const REACHABILITY_WORDS: Readonly<Record<Reachability, string>> = {
  REACHABLE: 'kan motta EHF',
  NOT_REGISTERED: 'kan ikke motta EHF',
  FORMAT_UNSUPPORTED: 'kan ikke motta EHF',
  UNKNOWN: 'fikk ikke svar',
};

export const ehfAgreement = described(
  z.object({
    status: z.enum(EHF_AGREEMENT_STATUSES),
    orgNumber: described(
      z.nullable(z.string()),
      'The organisation number that it holds for, or would',
    ),
    requestedAt: z.nullable(z.iso.datetime()),
    approvedAt: z.nullable(z.iso.datetime()),
  }),
  { id: 'EhfAgreement' },
);

export const customerEhf = described(
  z.object({
    status: z.enum(REACHABILITIES),
    checkedAt: described(
      z.nullable(z.iso.datetime()),
      'When the network said so; null where it was not asked',
    ),
  }),
  { id: 'CustomerEhf' },
);

export type EhfAgreement = z.infer<typeof ehfAgreement>;
export type CustomerEhf = z.infer<typeof customerEhf>;
