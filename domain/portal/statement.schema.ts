import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, optional } from '../api/validation.ts';
import { requiredEmail } from '../text.ts';
import { dateText, todayInOslo, type IsoDate } from '../date.ts';
import { AGES, isPeriod } from '../overview/overview.schema.ts';
import type { Period } from '../overview/periods.ts';

/** A statement is at most five years long and ends today at the latest (PORT-31). */
function isStatementPeriod(from: IsoDate, to: IsoDate): boolean {
  return isPeriod(from, to) && to <= todayInOslo();
}

const WRONG_PERIOD = {
  ...rule('{0} is invalid'),
  path: ['to'],
  when: needs('from', 'to'),
};

/** Both dates or none, which is the year to today. */
export const statementQuery = z
  .object({ from: optional(dateText()), to: optional(dateText()) })
  .check(
    z.refine(
      ({ from, to }) => (from && to ? isStatementPeriod(from, to) : from === to),
      WRONG_PERIOD,
    ),
  );

/** The period that a query asks for. */
export function statementPeriod({ from, to }: z.output<typeof statementQuery>): Period {
  const today = todayInOslo();
  return from && to ? { from, to } : { from: `${today.slice(0, 4)}-01-01`, to: today };
}

export const KINDS = ['INVOICE', 'CREDIT_NOTE', 'PAYMENT'] as const;

const row = z.object({
  date: z.iso.date(),
  kind: z.enum(KINDS),
  number: described(z.int(), 'The number of the document, or of the voucher of a payment'),
  text: z.string(),
  dueDate: z.nullable(z.iso.date()),
  debit: described(z.nullable(z.number()), 'Kroner; one of debit and credit is null'),
  credit: z.nullable(z.number()),
  balance: described(z.number(), 'What the customer owes after this row'),
});

const openItem = z.object({
  invoiceNumber: described(z.nullable(z.int()), 'null: money that the customer has to its credit'),
  issueDate: z.nullable(z.iso.date()),
  dueDate: z.nullable(z.iso.date()),
  amount: z.nullable(z.number()),
  left: described(z.number(), 'Kroner; negative in the favour of the customer'),
  days: described(z.nullable(z.int()), 'Days after the due date'),
});

/** The debt of a customer before a period, each change in it, and the open items after it (PORT-30). */
export const statement = described(
  z.object({
    customerNumber: z.int(),
    customerName: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    opening: described(z.number(), 'Kroner; positive is owed by the customer'),
    rows: z.array(row),
    closing: z.number(),
    reminderAmount: described(
      z.number(),
      'What reminders ask for and is not paid today; no part of the balance',
    ),
    open: z.array(openItem),
    ages: z.array(z.object({ age: z.enum(AGES), amount: z.number(), count: z.int() })),
    madeAt: z.iso.datetime(),
  }),
  { id: 'Statement' },
);
export type Statement = z.infer<typeof statement>;

/** The period to mail, and an address instead of those of the customer (PORT-38). */
export const statementDeliveryForm = z
  .object({
    from: dateText(),
    to: dateText(),
    recipient: described(
      optional(requiredEmail()),
      "Where to, instead of the customer's addresses",
    ),
  })
  .check(z.refine(({ from, to }) => isStatementPeriod(from, to), WRONG_PERIOD));

const STATES = ['QUEUED', 'SENT', 'FAILED'] as const;

/** A statement that was mailed, or is on its way. */
export const statementDelivery = described(
  z.object({
    uuid: z.uuid(),
    recipient: described(z.string(), 'The first of the recipients'),
    recipients: z.array(
      z.object({
        address: z.string(),
        status: z.enum(STATES),
        reason: z.nullable(z.string()),
      }),
    ),
    status: described(z.enum(STATES), 'SENT when one of several recipients got it'),
    sentTime: z.nullable(z.iso.datetime()),
    failureReason: z.nullable(z.string()),
  }),
  { id: 'StatementDelivery' },
);
export type StatementDelivery = z.infer<typeof statementDelivery>;
