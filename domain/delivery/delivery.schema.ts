import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, optional } from '../api/validation.ts';
import { requiredEmail } from '../text.ts';
import { readableEmail } from '../email.ts';
import { formatOrgNumber } from '../parties.ts';

/** How an invoice reaches its buyer. EHF needs an access point and the company's agreement; EFAKTURA cannot be sent. */
const DELIVERY_TYPES = ['NONE', 'EMAIL', 'EHF', 'EFAKTURA'] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

/** Names on screen. */
export const DELIVERY_TYPE_NAMES: Readonly<Record<DeliveryType, string>> = {
  NONE: 'Ingen',
  EMAIL: 'E-post',
  EHF: 'EHF',
  EFAKTURA: 'eFaktura',
};

/** PENDING (Venter) has no delivery yet, QUEUED has a job, SENT was accepted, FAILED was refused. */
export const DELIVERY_STATUSES = ['PENDING', 'QUEUED', 'SENT', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const deliveryType = z.enum(DELIVERY_TYPES);

/**
 * Why a mail was stopped before it left. The last three stop only reminders. TOO_LATE: the reminder's deadline had
 * come too close.
 */
export const STOPPED_BY = ['CANCELLED', 'PAID', 'DISPUTED', 'PART_PAID', 'TOO_LATE'] as const;
export type StoppedBy = (typeof STOPPED_BY)[number];

/** An address that did not get a delivery, and why in Norwegian. */
export interface RefusedAddress {
  readonly address: string;
  readonly reason: string;
}

const DELIVERED_STATUSES = ['QUEUED', 'SENT', 'FAILED'] as const;

/** One order to deliver an invoice to its buyer; the job may run several times. */
export const delivery = described(
  z.object({
    uuid: z.uuid(),
    deliveryType: deliveryType,
    status: described(z.enum(DELIVERED_STATUSES), 'SENT when one of several recipients got it'),
    recipient: z.nullable(z.string()),
    recipients: described(
      z.array(
        z.object({
          address: z.string(),
          status: z.enum(DELIVERED_STATUSES),
          reason: z.nullable(z.string()),
        }),
      ),
      'Of one mail the first is To, others are Cc. QUEUED: refused for the moment, and tried again',
    ),
    unreached: described(
      z.array(z.string()),
      'Addresses that failed for good, here or before, and were not put right since',
    ),
    sentTime: z.nullable(z.iso.datetime()),
    failureReason: z.nullable(z.string()),
    /** Why it, or one of its addresses, is still QUEUED: the last attempt failed, or the day's mail limit is reached. */
    waitingReason: z.nullable(z.string()),
    /** When a delivery over a new company's daily mail limit is tried again. */
    deferredUntil: z.nullable(z.iso.datetime()),
    unconfirmed: described(
      z.boolean(),
      'Of EHF: under way for three days, and nobody knows whether it arrived',
    ),
    stoppedBy: described(
      z.nullable(z.enum(STOPPED_BY)),
      'Of FAILED: why it was not mailed at all. null when it was tried and refused',
    ),
  }),
  { id: 'Delivery' },
);

export type Delivery = z.infer<typeof delivery>;

/** Input for a manual delivery of a registered invoice. */
export const deliveryBody = z
  .object({
    deliveryType: z.enum(['EMAIL', 'EHF', 'EFAKTURA']),
    recipient: described(
      optional(requiredEmail()),
      "Of EMAIL: where to, instead of the customer's address",
    ),
  })
  .check(
    z.refine(({ deliveryType: type, recipient }) => type === 'EMAIL' || recipient === null, {
      ...rule('{0} is for e-mail only'),
      path: ['recipient'],
      when: needs('deliveryType', 'recipient'),
    }),
  );

export type DeliveryBody = z.output<typeof deliveryBody>;

/** The recipient of a delivery for people: an e-mail address, or an organisation number for EHF. */
export function recipientText(type: DeliveryType, recipient: string): string {
  return type === 'EHF' ? formatOrgNumber(recipient) : readableEmail(recipient);
}
