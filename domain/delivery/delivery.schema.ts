import { z } from 'zod';

import { needs } from '../api/validation.ts';
import { optional } from '../optional.ts';
import { requiredEmail } from '../text.ts';

/** How an invoice reaches its buyer. EHF needs an access point and the company's agreement; EFAKTURA cannot be sent. */
const DELIVERY_TYPES = ['NONE', 'EMAIL', 'EHF', 'EFAKTURA'] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

/** What each is called on screen. */
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
 * What an invoice had become before its mail left, so that it was not mailed. The last three stop reminders
 * alone; TOO_LATE is one whose deadline had come too close.
 */
export const STOPPED_BY = ['CANCELLED', 'PAID', 'DISPUTED', 'PART_PAID', 'TOO_LATE'] as const;
export type StoppedBy = (typeof STOPPED_BY)[number];

/** One attempt to bring an invoice to its buyer, however many times the job runs. */
export const delivery = z
  .object({
    uuid: z.uuid(),
    deliveryType: deliveryType,
    status: z.enum(['QUEUED', 'SENT', 'FAILED']),
    recipient: z.string().nullable(),
    sentTime: z.iso.datetime().nullable(),
    failureReason: z.string().nullable(),
    /** Why it is still QUEUED, once a try came to nothing or the day's mails are used up. */
    waitingReason: z.string().nullable(),
    /** When a delivery beyond what a new company may mail in a day is looked at again. */
    deferredUntil: z.iso.datetime().nullable(),
    stoppedBy: z.enum(STOPPED_BY).nullable().meta({
      description: 'Of FAILED: why it was not mailed at all. null when it was tried and refused',
    }),
  })
  .meta({ id: 'Delivery' });

export type Delivery = z.infer<typeof delivery>;

/** What asks by hand for a delivery of a registered invoice. */
export const deliveryBody = z
  .object({
    deliveryType: deliveryType.exclude(['NONE']),
    recipient: optional(requiredEmail()).meta({
      description: "Of EMAIL: where to, instead of the customer's address",
    }),
  })
  .refine(({ deliveryType: type, recipient }) => type === 'EMAIL' || recipient === null, {
    path: ['recipient'],
    message: 'is for e-mail only',
    when: needs('deliveryType', 'recipient'),
  });

export type DeliveryBody = z.output<typeof deliveryBody>;
