import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { pageNumber } from '../api/pages.ts';
import { dateText } from '../date.ts';
import { delivery, DELIVERY_STATUSES } from '../delivery/delivery.schema.ts';
import { invoiceUuidParams } from '../invoice/invoice.schema.ts';
import { REMINDER_KINDS } from '../late-payment/reminder-kind.ts';
import { optional, optionalOr, urlBoolean } from '../api/validation.ts';
import { optionalText, requiredEmail } from '../text.ts';

const kind = described(
  z.enum(REMINDER_KINDS),
  'REMINDER is without fee, NOTICE may have one; then comes the notice of collection',
);

/** Longest note on a dispute. */
export const NOTE_LENGTH = 1000;
/** Most proposals in one answer, and most invoices in one call that reminds. */
export const PROPOSALS_MAX = 1000;

/** The amounts claimed, in kroner; the same in a proposal and in a reminder. */
const claim = {
  kind,
  step: described(z.int(), 'Which reminder of its invoice it is, from 1'),
  fee: described(z.number(), 'Kroner'),
  interest: described(z.number(), 'Kroner, to the day of sending'),
  amount: described(
    z.number(),
    'Kroner, all that it asks for: what is due of the invoice, fee, interest and what is owed of fees before',
  ),
};

const reminder = described(
  z.object({
    uuid: z.uuid(),
    ...claim,
    date: described(z.iso.date(), 'When it was made, in Oslo'),
    dueDate: described(z.iso.date(), 'The new due date'),
    principal: described(z.number(), 'Kroner due of the invoice when it was made'),
    compensation: described(z.number(), 'Kroner, instead of a fee'),
    deliveryStatus: described(
      z.nullable(z.enum(DELIVERY_STATUSES)),
      'null when it was made to be printed',
    ),
    delivery: described(z.nullable(delivery), 'The newest one'),
    earlier: described(
      z.number(),
      'Kroner of the amount that reminders before it asked for and that are still owed',
    ),
    waived: described(
      z.boolean(),
      'Whether its fee, interest and compensation, or what was left of them, were let go: it was ' +
        'stopped, the principal had come before it, its invoice was paid without them or credited, or somebody waived them',
    ),
  }),
  { id: 'Reminder' },
);

/** A reminder of the list. */
export const listedReminder = described(
  z.extend(reminder, {
    counted: described(
      z.object({
        dueDate: z.iso.date(),
        fee: z.number(),
        compensation: z.number(),
        stopped: z.boolean(),
      }),
      'How the law counts it for the next one: one that was stopped asked for nothing, and one that was mailed late is due later',
    ),
  }),
  { id: 'ListedReminder' },
);

/** The proposal for a reminder by hand. */
const stepByHand = z.object({
  kind,
  fee: z.boolean(),
  interest: z.boolean(),
  kinds: described(z.array(kind), 'Those that the operator allows'),
  feeFrom: described(
    z.nullable(z.iso.date()),
    'The first day on which a notice may have a fee; null when no fee is left',
  ),
  mayHaveFee: described(z.boolean(), 'Whether a notice of today may have a fee'),
  remindedToday: described(z.boolean(), 'Whether a reminder was sent today'),
});

/** A reminder that was just made, or that would be made. */
export const madeReminder = described(
  z.extend(reminder, {
    uuid: described(z.nullable(z.uuid()), 'null of what would be made'),
    recipient: described(
      z.nullable(z.string()),
      'Where its mail goes; null when it is made to be printed',
    ),
    mail: described(
      z.nullable(z.object({ subject: z.string(), text: z.string() })),
      'With dry_run: what would be mailed',
    ),
    proposed: described(
      z.nullable(stepByHand),
      'With dry_run: the next step of the company, whatever was asked for',
    ),
  }),
  { id: 'MadeReminder' },
);

/** Input for a reminder. */
export const reminderBody = z.object({
  kind,
  dueDate: described(optional(dateText()), 'Fourteen days from now unless stated'),
  fee: z.boolean(),
  interest: z.boolean(),
  compensation: described(
    optionalOr(z.boolean(), false),
    'Of businesses alone, and never with a fee',
  ),
});

/** The reminder that is refused only where every kind is. */
export const LEAST_REMINDER: ReminderBody = {
  kind: 'REMINDER',
  dueDate: null,
  fee: false,
  interest: false,
  compensation: false,
};

/** The same input in a query, for the draft of its PDF. */
export const reminderPreviewQuery = z.object({
  kind,
  dueDate: z.optional(dateText()),
  fee: z._default(urlBoolean, false),
  interest: z._default(urlBoolean, false),
  compensation: z._default(urlBoolean, false),
});

export const reminderParams = z.extend(invoiceUuidParams, {
  reminderUuid: z.uuid().check(z.toLowerCase()),
});

export const reminderDeliveryBody = z.object({
  recipient: described(optional(requiredEmail()), "Where to, instead of the customer's address"),
});

export const disputeBody = z.object({
  disputed: z.boolean(),
  note: described(optionalText(NOTE_LENGTH), 'Why; told in the history for good'),
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

export const proposal = described(
  z.object({
    invoiceUuid: z.uuid(),
    ...claim,
    fee: z.nullable(claim.fee),
    interest: z.nullable(claim.interest),
    amount: z.nullable(claim.amount),
    invoiceNumber: z.int(),
    customerName: z.string(),
    customerNumber: z.int(),
    amountDue: described(z.number(), 'Kroner due of the invoice'),
    dueDate: described(z.iso.date(), "The invoice's payment_deadline"),
    daysLate: described(z.int(), 'Days since then'),
    sent: described(z.int(), 'How many reminders it has had'),
    newDueDate: z.iso.date(),
    recipient: described(
      z.nullable(z.string()),
      'Where its mail goes; null: it is made to be printed',
    ),
    waits: described(z.nullable(z.string()), 'Why it is not sent now; null when it can be'),
    waitsFor: described(
      z.nullable(z.enum(WAITS)),
      'The same as a code. With NO_RATE and TOO_LARGE fee, interest and amount are null',
    ),
  }),
  { id: 'ReminderProposal' },
);

export const proposalQuery = z.object({
  page: described(pageNumber, `Of ${PROPOSALS_MAX}; what is due longest comes first`),
});

export const sendRemindersBody = z.object({
  uuids: described(
    z.array(z.uuid()).check(z.minLength(1), z.maxLength(PROPOSALS_MAX)),
    'Of invoices',
  ),
});

/** The reminders sent, and the invoices left alone with the reason for each. */
export const sentReminders = described(
  z.object({
    sent: z.array(z.object({ invoiceUuid: z.uuid(), reminderUuid: z.uuid() })),
    skipped: z.array(z.object({ uuid: z.uuid(), message: z.string() })),
    waiting: described(
      z.optional(z.array(z.uuid())),
      'Beyond the first 100: of invoices whose reminders are sent after the answer',
    ),
  }),
  { id: 'SentReminders' },
);

export type Reminder = z.infer<typeof reminder>;
export type ListedReminder = z.infer<typeof listedReminder>;
export type MadeReminder = z.infer<typeof madeReminder>;
export type ReminderBody = z.output<typeof reminderBody>;
export type DisputeBody = z.output<typeof disputeBody>;
export type Proposal = z.infer<typeof proposal>;
export type SentReminders = z.infer<typeof sentReminders>;
