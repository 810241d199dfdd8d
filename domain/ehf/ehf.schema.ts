import { z } from 'zod';

/** A company's EHF agreement: the company requests it, an operator approves or revokes it (EHF-2, EHF-3). */
const EHF_AGREEMENT_STATUSES = ['NONE', 'REQUESTED', 'ACTIVE', 'REVOKED'] as const;
export type EhfAgreementStatus = (typeof EHF_AGREEMENT_STATUSES)[number];

/** Whether a customer can receive EHF. UNKNOWN: the network did not answer. */
const REACHABILITIES = ['REACHABLE', 'NOT_REGISTERED', 'FORMAT_UNSUPPORTED', 'UNKNOWN'] as const;
export type Reachability = (typeof REACHABILITIES)[number];

export const ehfAgreement = z
  .object({
    status: z.enum(EHF_AGREEMENT_STATUSES),
    orgNumber: z
      .string()
      .nullable()
      .meta({ description: 'The organisation number that it holds for, or would' }),
    requestedAt: z.iso.datetime().nullable(),
    approvedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'EhfAgreement' });

export const customerEhf = z
  .object({
    status: z.enum(REACHABILITIES),
    checkedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the network said so; null where it was not asked' }),
  })
  .meta({ id: 'CustomerEhf' });

export type EhfAgreement = z.infer<typeof ehfAgreement>;
export type CustomerEhf = z.infer<typeof customerEhf>;
