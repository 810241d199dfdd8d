import { z } from 'zod';

import { deliveryType, STOPPED_BY } from '../delivery/delivery.schema.ts';
import { REMINDER_KINDS } from '../late-payment/reminder-law.ts';
import { PAYMENT_SOURCES } from '../payment/payment.schema.ts';

/** Kinds of events of an invoice. */
const HISTORY_KINDS = [
  'CREATED',
  'CHANGED',
  'REGISTERED',
  'QUEUED',
  'SENT',
  'FAILED',
  'PAID',
  'UNPAID',
  'PAYMENT',
  'CREDITED',
  'REMINDED',
  'DISPUTED',
  'RESOLVED',
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

export const historyAuthor = z.object({
  type: z.enum(['ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM']),
  name: z.string().meta({
    description: "The account's address, the token's name, the bank file's name, or 'Faktur'",
  }),
});
export type HistoryAuthor = z.infer<typeof historyAuthor>;

/** Further details. Absent when the kind has no such detail. */
const historyDetails = z
  .object({
    invoiceNumber: z.number().int().meta({ description: 'Of REGISTERED' }),
    deliveryType: deliveryType.meta({ description: 'Of QUEUED, SENT and FAILED' }),
    recipient: z.string().meta({ description: 'Of QUEUED, SENT and FAILED' }),
    copies: z
      .array(z.string())
      .meta({ description: 'Of QUEUED, SENT and FAILED: the further addresses of one mail' }),
    reminder: z.boolean().meta({ description: 'Of QUEUED, SENT and FAILED: of a reminder' }),
    reason: z.string().meta({ description: 'Of FAILED, in Norwegian' }),
    stoppedBy: z.enum(STOPPED_BY).meta({
      description: 'Of FAILED: why it was not mailed at all. Absent when it was tried',
    }),
    paidDate: z.iso.date().meta({ description: 'Of PAID' }),
    amount: z.number().meta({
      description:
        'In kroner. Of PAYMENT; negative takes back. Of REMINDED: all that is asked for. Of CREDITED: ' +
        'what was paid until then, and is credit of the customer now; absent when it is nothing',
    }),
    date: z.iso.date().meta({ description: 'Of PAYMENT: when it was paid' }),
    source: z.enum(PAYMENT_SOURCES).meta({ description: 'Of PAYMENT' }),
    takenBack: z.boolean().meta({ description: 'Of PAYMENT: whether one is taken back' }),
    reminderKind: z.enum(REMINDER_KINDS).meta({ description: 'Of REMINDED' }),
    waived: z.number().meta({
      description:
        'Of REMINDED: kroner of what reminders asked for that were waived, and no new reminder',
    }),
    step: z.number().int().meta({ description: 'Of REMINDED, from 1' }),
    dueDate: z.iso.date().meta({ description: 'Of REMINDED: the new one' }),
    note: z.string().meta({ description: 'Of DISPUTED' }),
    credited: z.number().meta({
      description: 'Of CREDITED: kroner with VAT, when it was only a part of the invoice',
    }),
    creditNote: z
      .object({ uuid: z.uuid(), invoiceNumber: z.number().int() })
      .meta({ description: 'Of CREDITED' }),
  })
  .partial();
export type HistoryDetails = z.infer<typeof historyDetails>;

export const historyEvent = z
  .object({
    at: z.iso.datetime(),
    kind: z.enum(HISTORY_KINDS),
    by: historyAuthor,
    details: historyDetails,
  })
  .meta({ id: 'HistoryEvent' });
export type HistoryEvent = z.infer<typeof historyEvent>;
