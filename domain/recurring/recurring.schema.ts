import { z } from 'zod';

import { pageNumber } from '../api/pages.ts';
import type { Feature } from '../api/endpoint.ts';
import { rule } from '../api/rules.ts';
import {
  needs,
  wholeNumber,
  optional,
  optionalOr,
  urlNumber,
  basedOnVersion,
  version,
} from '../api/validation.ts';
import { CUSTOMER_NUMBER_MAX } from '../customer/customer.schema.ts';
import { dateText } from '../date.ts';
import { delivery, deliveryType } from '../delivery/delivery.schema.ts';
import {
  countedLine,
  forFeatures,
  LINES_MAX,
  listOf,
  type LineForm,
} from '../invoice/invoice-line.schema.ts';
import {
  bodyOf,
  fromTemplate,
  invoice,
  recipients,
  templateId,
} from '../invoice/invoice.schema.ts';
import { judgeRates, vatOfLine } from '../vat-treatment.ts';
import { MESSAGE_LENGTH } from '../profile/profile.schema.ts';
import { customerMessage, dueDays } from '../terms.ts';
import { DESCRIPTION_LENGTH, descriptionText, requiredText } from '../text.ts';
import { longestFilledIn } from './placeholders.ts';
import { firstDateOf, LAST_DAY, type Series } from './recurring-dates.ts';

export const INTERVAL_UNITS = ['WEEK', 'MONTH'] as const;
export type IntervalUnit = (typeof INTERVAL_UNITS)[number];

/** Allowed numbers of weeks or months between two dates. */
export const INTERVAL_COUNTS = {
  WEEK: [1, 2, 3, 4],
  MONTH: [1, 2, 3, 6, 12],
} as const satisfies Record<IntervalUnit, readonly number[]>;

/** ENDED has no dates left; a later end may add some. */
const ASSIGNMENT_STATES = ['ACTIVE', 'PAUSED', 'ENDED'] as const;
export type AssignmentState = (typeof ASSIGNMENT_STATES)[number];

/** The output of a run: drafts, or registered and sent invoices. */
const ASSIGNMENT_MODES = ['DRAFT', 'SEND'] as const;
export type AssignmentMode = (typeof ASSIGNMENT_MODES)[number];

const RUN_STATES = ['RUNNING', 'DONE'] as const;

export const OCCURRENCES_MAX = 1000;
/** Dates in a preview. */
export const PREVIEWED_PERIODS = 5;
export const RUNS_PAGE_SIZE = 20;
/** Customers named for each assignment of a list, and invoices listed for a run. */
export const LISTED_CUSTOMERS_MAX = 100;
export const LISTED_INVOICES_MAX = 1000;

/** All assignments, or those of one customer: named directly or through its group. */
export const assignmentsQuery = z.object({
  customerNumber: urlNumber(CUSTOMER_NUMBER_MAX).optional(),
});

const interval = z
  .object({ unit: z.enum(INTERVAL_UNITS), count: wholeNumber() })
  .refine(({ unit, count }) => isCountOf(unit, count), {
    ...rule('{0} must be 1, 2, 3 or 4 weeks, or 1, 2, 3, 6 or 12 months'),
    path: ['count'],
    when: needs('unit', 'count'),
  });

function isCountOf(unit: IntervalUnit, count: number): boolean {
  const counts: readonly number[] = INTERVAL_COUNTS[unit];
  return counts.includes(count);
}

const day = z.union([wholeNumber().min(1).max(31), z.literal(LAST_DAY)]);

/** The dates of an assignment; saving and preview use the same. */
const series = z.object({
  interval,
  day: optional(day).meta({
    description:
      'Of MONTH: 1 to 31, which is the last day where a month has no such day, or LAST. Of WEEK ' +
      'null: it repeats the weekday of first_date',
  }),
  firstDate: dateText().meta({
    description:
      'The first date is the first fitting day on or after it. At most a year back: what has ' +
      'passed is made as drafts, dated on the day of making. Fixed after the first run (409)',
  }),
  lastDate: optional(dateText()).meta({
    description:
      'No period begins after it; the one that begins last has its whole length. Not with occurrences',
  }),
  occurrences: optional(wholeNumber().min(1).max(OCCURRENCES_MAX)).meta({
    description: 'How many periods are made in all; those of a pause are not counted',
  }),
});

type SeriesForm = z.output<typeof series>;

/** The dates of a form, with null for absent values. */
export function toSeries(form: SeriesForm): Series {
  return {
    interval: form.interval,
    day: form.day ?? null,
    firstDate: form.firstDate,
    lastDate: form.lastDate ?? null,
    occurrences: form.occurrences ?? null,
  };
}

const DAY_OF_WEEKS = { ...rule('{0} must be null for weeks'), path: ['day'], when: needs() };
function hasDayOnlyOfMonths({ interval: every, day: own }: Partial<SeriesForm>): boolean {
  return every?.unit !== 'WEEK' || (own ?? null) === null;
}

const DAY_OF_MONTHS = { ...rule('{0} is a required field'), path: ['day'], when: needs() };
function hasDayOfMonths({ interval: every, day: own }: Partial<SeriesForm>): boolean {
  return every?.unit !== 'MONTH' || (own ?? null) !== null;
}

const ONE_END = {
  ...rule('{0} cannot be combined with last_date'),
  path: ['occurrences'],
  when: needs(),
};
function hasOneEnd({ lastDate, occurrences }: SeriesForm): boolean {
  return typeof lastDate !== 'string' || typeof occurrences !== 'number';
}

const END_AFTER_START = {
  ...rule('{0} must not be before the first date'),
  path: ['lastDate'],
  when: needs('interval', 'day', 'firstDate', 'lastDate'),
};
function endsAfterStart(form: SeriesForm): boolean {
  return typeof form.lastDate !== 'string' || form.lastDate >= firstDateOf(toSeries(form));
}

/**
 * Input for an assignment. With a template, each run takes delivery type, due days and lines from the template, and
 * the form's own are ignored. Descriptions and the message may have the placeholders {måned}, {år}, {periode}, {fra}
 * and {til}. Each run replaces them, and the limits of length apply to the replaced text.
 */
export const assignmentForm = forFeatures((line) =>
  fromTemplate(
    recipients.safeExtend({
      name: requiredText(),
      templateId,
      deliveryType: optional(deliveryType),
      dueDays: optional(dueDays),
      invoiceLines: optional(listOf(line)),
      message: customerMessage,
      mode: optionalOr(z.enum(ASSIGNMENT_MODES), 'DRAFT').meta({
        description:
          'DRAFT unless stated. SEND registers and sends; what is not made on its date is a draft',
      }),
      ...series.shape,
    }),
  )
    .refine(hasDayOnlyOfMonths, DAY_OF_WEEKS)
    .refine(hasDayOfMonths, DAY_OF_MONTHS)
    .refine(hasOneEnd, ONE_END)
    .refine(endsAfterStart, END_AFTER_START)
    .superRefine(judgeFilledTexts, { when: needs() })
    .superRefine(judgeRates, { when: needs() }),
);

interface FilledTexts {
  readonly templateId: number | null;
  readonly invoiceLines: unknown;
  readonly message?: unknown;
}

const FILLED_LENGTH = '{0} with its placeholders filled in must be at most {1} characters';

/** A replaced text longer than the limit could not be saved again in the draft. */
function judgeFilledTexts(
  { templateId: template, invoiceLines, message }: FilledTexts,
  context: z.RefinementCtx,
): void {
  const judge = (text: unknown, most: number, path: (string | number)[]) => {
    if (typeof text !== 'string' || longestFilledIn(text) <= most) return;
    context.addIssue({ code: 'custom', path, ...rule(FILLED_LENGTH, most) });
  };
  const hasOwnLines = typeof template !== 'number' && Array.isArray(invoiceLines);
  const ownLines: readonly (Partial<LineForm> | null)[] = hasOwnLines ? invoiceLines : [];
  for (const [index, line] of ownLines.entries()) {
    judge(line?.description, DESCRIPTION_LENGTH, ['invoiceLines', index, 'description']);
  }
  judge(message, MESSAGE_LENGTH, ['message']);
}

/** Input for an existing assignment. */
function assignmentUpdate(features: ReadonlySet<Feature>) {
  return assignmentForm(features).safeExtend({ version: basedOnVersion });
}

/** The forms as the API takes them. */
export const assignmentBody = bodyOf(assignmentForm);
export const assignmentUpdateBody = bodyOf(assignmentUpdate);

export const assignment = z
  .object({
    uuid: z.uuid(),
    name: z.string(),
    customerNumbers: z
      .array(z.number().int())
      .meta({ description: `By number; in a list at most the first ${LISTED_CUSTOMERS_MAX}` }),
    customerCount: z
      .number()
      .int()
      .meta({ description: 'How many customers are named, those of the group not counted' }),
    groupUuid: z.uuid().nullable(),
    templateId: z.number().int().nullable(),
    deliveryType: deliveryType.nullable().meta({ description: "null: the template's" }),
    dueDays: z.number().int().nullable().meta({ description: "null: the template's" }),
    invoiceLines: z
      .array(
        z.object({
          ...countedLine,
          description: z.string().meta({ description: 'With its placeholders' }),
          netUnitAmount: z.number().meta({ description: 'Kroner without VAT' }),
          ...vatOfLine,
        }),
      )
      .nullable()
      .meta({ description: "null: the template's" }),
    message: z.string().nullable(),
    interval: z.object({ unit: z.enum(INTERVAL_UNITS), count: z.number().int() }),
    day: day.nullable(),
    firstDate: z.iso.date(),
    lastDate: z.iso.date().nullable(),
    occurrences: z.number().int().nullable(),
    mode: z.enum(ASSIGNMENT_MODES),
    state: z.enum(ASSIGNMENT_STATES),
    nextDate: z.iso.date().nullable().meta({
      description: 'Where the next period begins; before today when it is late. null unless ACTIVE',
    }),
    hasRun: z.boolean().meta({ description: 'Whether first_date is fixed' }),
    waitingReason: z.string().nullable().meta({
      description: 'Why the next period is not made, or will not be; it is tried again by itself',
    }),
    version,
  })
  .meta({ id: 'Assignment' });

const failure = z.object({
  customerNumber: z.number().int(),
  customerDeleted: z
    .boolean()
    .meta({ description: 'The number is that of then, and may since be of another customer' }),
  customerName: z.string().nullable().meta({ description: 'Null when the customer was deleted' }),
  message: z
    .string()
    .meta({ description: 'Why the invoice was not sent, and stayed a draft then' }),
});

const period = z.object({
  periodFrom: z.iso.date(),
  periodTo: z.iso.date().meta({ description: 'The day before the next period' }),
  date: z.iso.date().meta({
    description:
      'The issue date: where the period begins or, when that has passed, the day of making',
  }),
  invoices: z
    .array(z.uuid())
    .meta({ description: `Those that are still there, at most ${LISTED_INVOICES_MAX}` }),
  failures: z.array(failure),
});

/** An invoice as it is shown beside the run that made it. */
const madeInvoice = invoice
  .pick({
    uuid: true,
    kind: true,
    invoiceNumber: true,
    customerName: true,
    status: true,
    deliveryStatus: true,
    dueDate: true,
    grossAmount: true,
    paidAmount: true,
    disputed: true,
  })
  .extend({
    deliveries: z
      .array(delivery.pick({ status: true, stoppedBy: true }))
      .meta({ description: 'The latest one alone' }),
  });

/** The result of a run for one period. */
export const assignmentRun = period
  .extend({
    made: z.array(madeInvoice).meta({ description: 'The same as invoices, as they are now' }),
    invoiceCount: z.number().int().meta({ description: 'How many of them there are still' }),
    lostCustomers: z.array(z.number().int()).meta({
      description: 'Recipients that were deleted since the run before',
    }),
    recipientCount: z.number().int().meta({ description: 'How many customers the run was for' }),
    mode: z.enum(ASSIGNMENT_MODES).meta({ description: 'DRAFT also for what was made late' }),
    state: z.enum(RUN_STATES).meta({ description: 'RUNNING while invoices are still being made' }),
  })
  .meta({ id: 'AssignmentRun' });

/** The dates to preview; the rest of the form may be sent too. */
export const previewBody = series
  .safeExtend({
    uuid: optional(z.uuid()).meta({
      description: 'The assignment that is being changed: the dates go on after what it has made',
    }),
    templateId,
    invoiceLines: optional(z.array(z.object({ description: descriptionText() })).max(LINES_MAX)),
    message: customerMessage,
  })
  .refine(hasDayOnlyOfMonths, DAY_OF_WEEKS)
  .refine(hasDayOfMonths, DAY_OF_MONTHS)
  .refine(hasOneEnd, ONE_END)
  .refine(endsAfterStart, END_AFTER_START);

export const assignmentPreview = z
  .object({
    periods: z.array(period).max(PREVIEWED_PERIODS).meta({
      description: 'The next ones, of which nothing is made yet; none when it is over',
    }),
    sample: z.object({ description: z.string().nullable(), message: z.string().nullable() }).meta({
      description: 'The first line and the message as the first of these periods has them',
    }),
  })
  .meta({ id: 'AssignmentPreview' });

export const assignmentParams = z.object({ assignmentUuid: z.uuid() });
export const runsQuery = z.object({ page: pageNumber });

export type Assignment = z.infer<typeof assignment>;
export type AssignmentForm = z.output<ReturnType<typeof assignmentForm>>;
export type AssignmentUpdate = z.output<ReturnType<typeof assignmentUpdate>>;
export type MadeInvoice = z.infer<typeof madeInvoice>;
export type AssignmentRun = z.infer<typeof assignmentRun>;
export type AssignmentPreview = z.infer<typeof assignmentPreview>;
export type PreviewBody = z.output<typeof previewBody>;
