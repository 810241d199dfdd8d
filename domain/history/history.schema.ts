import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { deliveryType, STOPPED_BY } from '../delivery/delivery.schema.ts';
import { REACHABILITIES } from '../ehf/ehf.schema.ts';
import { REMINDER_KINDS } from '../late-payment/reminder-kind.ts';
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
  'LOOKED_UP',
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

export const historyAuthor = z.object({
  type: z.enum(['ACCOUNT', 'TOKEN', 'STAFF', 'BANK', 'SYSTEM']),
  name: described(
    z.string(),
    "The account's address, the token's name, the bank file's name, or 'Faktur'",
  ),
});
export type HistoryAuthor = z.infer<typeof historyAuthor>;

/** Further details. Absent when the kind has no such detail. */
const historyDetails = z.partial(
  z.object({
    invoiceNumber: described(z.int(), 'Of REGISTERED'),
    deliveryChangedFrom: described(
      deliveryType,
      'Of REGISTERED: its delivery type as a draft, where it became EHF',
    ),
    deliveryType: described(deliveryType, 'Of QUEUED, SENT and FAILED'),
    recipient: described(z.string(), 'Of QUEUED, SENT and FAILED'),
    copies: described(
      z.array(z.string()),
      'Of QUEUED, SENT and FAILED: the further addresses of one mail',
    ),
    reminder: described(z.boolean(), 'Of QUEUED, SENT and FAILED: of a reminder'),
    reason: described(z.string(), 'Of FAILED, in Norwegian'),
    stoppedBy: described(
      z.enum(STOPPED_BY),
      'Of FAILED: why it was not mailed at all. Absent when it was tried',
    ),
    paidDate: described(z.iso.date(), 'Of PAID'),
    amount: described(
      z.number(),
      'In kroner. Of PAYMENT; negative takes back. Of REMINDED: all that is asked for. Of CREDITED: ' +
        'what was paid until then, and is credit of the customer now; absent when it is nothing',
    ),
    date: described(z.iso.date(), 'Of PAYMENT: when it was paid'),
    source: described(z.enum(PAYMENT_SOURCES), 'Of PAYMENT'),
    takenBack: described(z.boolean(), 'Of PAYMENT: whether one is taken back'),
    reminderKind: described(z.enum(REMINDER_KINDS), 'Of REMINDED'),
    waived: described(
      z.number(),
      'Of REMINDED: kroner of what reminders asked for that were waived, and no new reminder',
    ),
    step: described(z.int(), 'Of REMINDED, from 1'),
    dueDate: described(z.iso.date(), 'Of REMINDED: the new one'),
    note: described(z.string(), 'Of DISPUTED'),
    credited: described(
      z.number(),
      'Of CREDITED: kroner with VAT, when it was only a part of the invoice',
    ),
    creditNote: described(z.object({ uuid: z.uuid(), invoiceNumber: z.int() }), 'Of CREDITED'),
    outcome: described(
      z.enum(REACHABILITIES),
      'Of LOOKED_UP: whether the buyer can receive EHF, as the network said',
    ),
    publisher: described(z.nullable(z.string()), 'Of LOOKED_UP: the host that answered'),
  }),
);
export type HistoryDetails = z.infer<typeof historyDetails>;

export const historyEvent = described(
  z.object({
    at: z.iso.datetime(),
    kind: z.enum(HISTORY_KINDS),
    by: historyAuthor,
    details: historyDetails,
  }),
  { id: 'HistoryEvent' },
);
export type HistoryEvent = z.infer<typeof historyEvent>;
