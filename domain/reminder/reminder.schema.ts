import { z } from 'zod';

import { pageNumber } from '../api/pages.ts';
import { dateText } from '../date.ts';
import { delivery, DELIVERY_STATUSES } from '../delivery/delivery.schema.ts';
import { invoiceUuidParams } from '../invoice/invoice.schema.ts';
import { REMINDER_KINDS } from '../late-payment/reminder-law.ts';
import { optional, optionalOr, urlBoolean } from '../api/validation.ts';
import { optionalText, requiredEmail } from '../text.ts';

const kind = z.enum(REMINDER_KINDS).meta({
  description: 'REMINDER is without fee, NOTICE may have one; then comes the notice of collection',
});

/** Longest note on a dispute. */
export const NOTE_LENGTH = 1000;
/** Most proposals in one answer, and most invoices in one call that reminds. */
export const PROPOSALS_MAX = 1000;

/** The amounts claimed, in kroner; the same in a proposal and in a reminder. */
const claim = {
  kind,
  step: z.number().int().meta({ description: 'Which reminder of its invoice it is, from 1' }),
  fee: z.number().meta({ description: 'Kroner' }),
  interest: z.number().meta({ description: 'Kroner, to the day of sending' }),
  amount: z.number().meta({
    description:
      'Kroner, all that it asks for: what is due of the invoice, fee, interest and what is owed of fees before',
  }),
};

export const reminder = z
  .object({
    uuid: z.uuid(),
    ...claim,
    date: z.iso.date().meta({ description: 'When it was made, in Oslo' }),
    dueDate: z.iso.date().meta({ description: 'The new due date' }),
    principal: z.number().meta({ description: 'Kroner due of the invoice when it was made' }),
    compensation: z.number().meta({ description: 'Kroner, instead of a fee' }),
    deliveryStatus: z
      .enum(DELIVERY_STATUSES)
      .nullable()
      .meta({ description: 'null when it was made to be printed' }),
    delivery: delivery.nullable().meta({ description: 'The newest one' }),
    earlier: z.number().meta({
      description:
        'Kroner of the amount that reminders before it asked for and that are still owed',
    }),
    waived: z.boolean().meta({
      description:
        'Whether its fee, interest and compensation, or what was left of them, were let go: it was ' +
        'stopped, the principal had come before it, or somebody waived them',
    }),
  })
  .meta({ id: 'Reminder' });

/** A reminder that was just made, or that would be made. */
export const madeReminder = reminder
  .extend({
    uuid: z.uuid().nullable().meta({ description: 'null of what would be made' }),
    recipient: z
      .string()
      .nullable()
      .meta({ description: 'Where its mail goes; null when it is made to be printed' }),
    mail: z
      .object({ subject: z.string(), text: z.string() })
      .nullable()
      .meta({ description: 'With dry_run: what would be mailed' }),
  })
  .meta({ id: 'MadeReminder' });

/** Input for a reminder. */
export const reminderBody = z.object({
  kind,
  dueDate: optional(dateText()).meta({ description: 'Fourteen days from now unless stated' }),
  fee: z.boolean(),
  interest: z.boolean(),
  compensation: optionalOr(z.boolean(), false).meta({
    description: 'Of businesses alone, and never with a fee',
  }),
});

/** The same input in a query, for the draft of its PDF. */
export const reminderPreviewQuery = z.object({
  kind,
  dueDate: dateText().optional(),
  fee: urlBoolean.default(false),
  interest: urlBoolean.default(false),
  compensation: urlBoolean.default(false),
});

export const reminderParams = invoiceUuidParams.extend({
  reminderUuid: z.uuid().toLowerCase(),
});

export const reminderDeliveryBody = z.object({
  recipient: optional(requiredEmail()).meta({
    description: "Where to, instead of the customer's address",
  }),
});

export const disputeBody = z.object({
  disputed: z.boolean(),
  note: optionalText(NOTE_LENGTH).meta({ description: 'Why; told in the history for good' }),
});

/** Why a due reminder is not sent yet. */
const WAITS = [
  'DISPUTED',
  'CREDIT',
  'UNPLACED_PAYMENT',
  'NOT_DELIVERED',
  'UNDER_WAY',
  'SUPPRESSED_ADDRESS',
  'BANK_FILE_OLD',
  'BANK_FILE_UNDER_WAY',
  'BELOW_MINIMUM',
  'NO_RATE',
  'TOO_LARGE',
  'LAW',
] as const;
export type Waits = (typeof WAITS)[number];

export const proposal = z
  .object({
    invoiceUuid: z.uuid(),
    ...claim,
    fee: claim.fee.nullable(),
    interest: claim.interest.nullable(),
    amount: claim.amount.nullable(),
    invoiceNumber: z.number().int(),
    customerName: z.string(),
    customerNumber: z.number().int(),
    amountDue: z.number().meta({ description: 'Kroner due of the invoice' }),
    dueDate: z.iso.date().meta({ description: "The invoice's payment_deadline" }),
    daysLate: z.number().int().meta({ description: 'Days since then' }),
    sent: z.number().int().meta({ description: 'How many reminders it has had' }),
    newDueDate: z.iso.date(),
    recipient: z
      .string()
      .nullable()
      .meta({ description: 'Where its mail goes; null: it is made to be printed' }),
    waits: z
      .string()
      .nullable()
      .meta({ description: 'Why it is not sent now; null when it can be' }),
    waitsFor: z.enum(WAITS).nullable().meta({
      description:
        'The same as a code. With NO_RATE and TOO_LARGE fee, interest and amount are null',
    }),
  })
  .meta({ id: 'ReminderProposal' });

export const proposalQuery = z.object({
  page: pageNumber.meta({ description: `Of ${PROPOSALS_MAX}; what is due longest comes first` }),
});

export const sendRemindersBody = z.object({
  uuids: z.array(z.uuid()).min(1).max(PROPOSALS_MAX).meta({ description: 'Of invoices' }),
});

/** The reminders sent, and the invoices left alone with the reason for each. */
export const sentReminders = z
  .object({
    sent: z.array(z.object({ invoiceUuid: z.uuid(), reminderUuid: z.uuid() })),
    skipped: z.array(z.object({ uuid: z.uuid(), message: z.string() })),
    waiting: z.array(z.uuid()).optional().meta({
      description: 'Beyond the first 100: of invoices whose reminders are sent after the answer',
    }),
  })
  .meta({ id: 'SentReminders' });

export type Reminder = z.infer<typeof reminder>;
export type MadeReminder = z.infer<typeof madeReminder>;
export type ReminderBody = z.output<typeof reminderBody>;
export type DisputeBody = z.output<typeof disputeBody>;
export type Proposal = z.infer<typeof proposal>;
export type SentReminders = z.infer<typeof sentReminders>;
