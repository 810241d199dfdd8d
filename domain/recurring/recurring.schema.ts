import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { pageNumber } from '../api/pages.ts';
import type { Feature } from '../api/endpoint.ts';
import { rule } from '../api/rules.ts';
import {
  needs,
  optional,
  optionalOr,
  urlNumber,
  basedOnVersion,
  version,
} from '../api/validation.ts';
import { CUSTOMER_NUMBER_MAX } from '../customer/customer.schema.ts';
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
import { longestFilledIn, unknownPlaceholders } from './placeholders.ts';
import { day, INTERVAL_UNITS, series, SERIES_RULES } from './series.schema.ts';

/** ENDED has no dates left; a later end may add some. */
const ASSIGNMENT_STATES = ['ACTIVE', 'PAUSED', 'ENDED'] as const;
export type AssignmentState = (typeof ASSIGNMENT_STATES)[number];

/** The output of a run: drafts, or registered and sent invoices. */
const ASSIGNMENT_MODES = ['DRAFT', 'SEND'] as const;

const RUN_STATES = ['RUNNING', 'DONE'] as const;

/** Dates in a preview. */
export const PREVIEWED_PERIODS = 5;
export const RUNS_PAGE_SIZE = 20;

/** The permission that changes or starts an assignment: one that sends registers in the name of whoever lets it (MEM-4). */
export function assignmentNeeds({ mode }: { readonly mode: 'DRAFT' | 'SEND' }) {
  return mode === 'SEND' ? 'issue' : 'edit';
}
/** Customers named for each assignment of a list, and invoices listed for a run. */
export const LISTED_CUSTOMERS_MAX = 100;
export const LISTED_INVOICES_MAX = 1000;

/** All assignments, or those of one customer: named directly or through its group. */
export const assignmentsQuery = z.object({
  customerNumber: z.optional(urlNumber(CUSTOMER_NUMBER_MAX)),
});

/**
 * Input for an assignment. With a template, each run takes delivery type, due days and lines from the template, and
 * the form's own are ignored. Descriptions and the message may have the placeholders {måned}, {år}, {periode}, {fra}
 * and {til}. Each run replaces them, and the limits of length apply to the replaced text.
 */
export const assignmentForm = forFeatures((line) =>
  fromTemplate(
    z.safeExtend(recipients, {
      name: requiredText(),
      templateId,
      deliveryType: optional(deliveryType),
      dueDays: optional(dueDays),
      invoiceLines: optional(listOf(line)),
      message: customerMessage,
      mode: described(
        optionalOr(z.enum(ASSIGNMENT_MODES), 'DRAFT'),
        'DRAFT unless stated. SEND registers and sends; what is not made on its date is a draft',
      ),
      ...series.shape,
    }),
  ).check(
    ...SERIES_RULES,
    z.superRefine(judgeFilledTexts, { when: needs() }),
    z.superRefine(judgeRates, { when: needs() }),
  ),
);

interface FilledTexts {
  readonly templateId: number | null;
  readonly invoiceLines: unknown;
  readonly message?: unknown;
}

const UNKNOWN_PLACEHOLDER = '{0} has a placeholder that is not known: {1}';
const FILLED_LENGTH = '{0} with its placeholders filled in must be at most {1} characters';

/**
 * A replaced text longer than the limit could not be saved again in the draft, and braces that nothing fills in would go
 * to customers (REC-19).
 */
function judgeFilledTexts(
  { templateId: template, invoiceLines, message }: FilledTexts,
  context: z.core.$RefinementCtx,
): void {
  const judge = (text: unknown, most: number, path: (string | number)[]) => {
    if (typeof text !== 'string') return;
    const [unknown] = unknownPlaceholders(text);
    if (unknown !== undefined) {
      context.addIssue({ code: 'custom', path, ...rule(UNKNOWN_PLACEHOLDER, unknown) });
    }
    if (longestFilledIn(text) > most) {
      context.addIssue({ code: 'custom', path, ...rule(FILLED_LENGTH, most) });
    }
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
  return z.safeExtend(assignmentForm(features), { version: basedOnVersion });
}

/** The forms as the API takes them. */
export const assignmentBody = bodyOf(assignmentForm);
export const assignmentUpdateBody = bodyOf(assignmentUpdate);

export const assignment = described(
  z.object({
    uuid: z.uuid(),
    name: z.string(),
    customerNumbers: described(
      z.array(z.int()),
      `By number; in a list at most the first ${LISTED_CUSTOMERS_MAX}`,
    ),
    customerCount: described(
      z.int(),
      'How many customers are named, those of the group not counted',
    ),
    groupUuid: z.nullable(z.uuid()),
    templateId: z.nullable(z.int()),
    deliveryType: described(z.nullable(deliveryType), "null: the template's"),
    dueDays: described(z.nullable(z.int()), "null: the template's"),
    invoiceLines: described(
      z.nullable(
        z.array(
          z.object({
            ...countedLine,
            description: described(z.string(), 'With its placeholders'),
            netUnitAmount: described(z.number(), 'Kroner without VAT'),
            ...vatOfLine,
          }),
        ),
      ),
      "null: the template's",
    ),
    message: z.nullable(z.string()),
    interval: z.object({ unit: z.enum(INTERVAL_UNITS), count: z.int() }),
    day: z.nullable(day),
    firstDate: z.iso.date(),
    lastDate: z.nullable(z.iso.date()),
    occurrences: z.nullable(z.int()),
    mode: z.enum(ASSIGNMENT_MODES),
    state: z.enum(ASSIGNMENT_STATES),
    nextDate: described(
      z.nullable(z.iso.date()),
      'Where the next period begins; before today when it is late. null unless ACTIVE',
    ),
    hasRun: described(z.boolean(), 'Whether first_date is fixed'),
    waitingReason: described(
      z.nullable(z.string()),
      'Why the next period is not made, or will not be; it is tried again by itself',
    ),
    version,
  }),
  { id: 'Assignment' },
);

const failure = z.object({
  customerNumber: z.int(),
  customerDeleted: described(
    z.boolean(),
    'The number is that of then, and may since be of another customer',
  ),
  customerName: described(z.nullable(z.string()), 'Null when the customer was deleted'),
  message: described(z.string(), 'Why the invoice was not sent, and stayed a draft then'),
});

const period = z.object({
  periodFrom: z.iso.date(),
  periodTo: described(z.iso.date(), 'The day before the next period'),
  date: described(
    z.iso.date(),
    'The issue date: where the period begins or, when that has passed, the day of making',
  ),
  invoices: described(
    z.array(z.uuid()),
    `Those that are still there, at most ${LISTED_INVOICES_MAX}`,
  ),
  failures: z.array(failure),
});

/** An invoice as it is shown beside the run that made it. */
const madeInvoice = z.extend(
  z.pick(invoice, {
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
  }),
  {
    deliveries: described(
      z.array(z.pick(delivery, { status: true, stoppedBy: true })),
      'The latest one alone',
    ),
  },
);

/** The result of a run for one period. */
export const assignmentRun = described(
  z.extend(period, {
    made: described(z.array(madeInvoice), 'The same as invoices, as they are now'),
    invoiceCount: described(z.int(), 'How many of them there are still'),
    lostCustomers: described(z.array(z.int()), 'Recipients that were deleted since the run before'),
    recipientCount: described(z.int(), 'How many customers the run was for'),
    mode: described(z.enum(ASSIGNMENT_MODES), 'DRAFT also for what was made late'),
    state: described(z.enum(RUN_STATES), 'RUNNING while invoices are still being made'),
  }),
  { id: 'AssignmentRun' },
);

/** The dates to preview; the rest of the form may be sent too. */
export const previewBody = z
  .safeExtend(series, {
    uuid: described(
      optional(z.uuid()),
      'The assignment that is being changed: the dates go on after what it has made',
    ),
    templateId,
    invoiceLines: optional(
      z.array(z.object({ description: descriptionText() })).check(z.maxLength(LINES_MAX)),
    ),
    message: customerMessage,
  })
  .check(...SERIES_RULES);

export const assignmentPreview = described(
  z.object({
    periods: described(
      z.array(period).check(z.maxLength(PREVIEWED_PERIODS)),
      'The next ones, of which nothing is made yet; none when it is over',
    ),
    sample: described(
      z.object({ description: z.nullable(z.string()), message: z.nullable(z.string()) }),
      'The first line and the message as the first of these periods has them',
    ),
  }),
  { id: 'AssignmentPreview' },
);

export const assignmentParams = z.object({ assignmentUuid: z.uuid() });
export const runsQuery = z.object({ page: pageNumber });

export type Assignment = z.infer<typeof assignment>;
export type AssignmentForm = z.output<ReturnType<typeof assignmentForm>>;
export type AssignmentUpdate = z.output<ReturnType<typeof assignmentUpdate>>;
export type MadeInvoice = z.infer<typeof madeInvoice>;
export type AssignmentRun = z.infer<typeof assignmentRun>;
export type AssignmentPreview = z.infer<typeof assignmentPreview>;
export type PreviewBody = z.output<typeof previewBody>;
