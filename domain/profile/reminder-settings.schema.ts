import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, wholeNumber, basedOnVersion, version } from '../api/validation.ts';
import { REMINDER_KINDS } from '../late-payment/reminder-kind.ts';
import { DAYS_BEFORE_FEE, FEES_MAX } from '../late-payment/reminder-law.ts';
import { kronerAmount } from '../money.ts';

export const REMINDER_STEPS_MAX = 6;
export const REMINDER_DAYS_MAX = 365;
export const REMINDER_MINIMUM_MAX = 1_000_000;

const days = described(
  wholeNumber(),
  'After the due date; a Saturday, Sunday or holiday counts as the next working day',
);

const step = z.object({
  days,
  kind: z.enum(REMINDER_KINDS),
  fee: described(z.boolean(), 'The fee that the law allows on the day of sending'),
  interest: z.boolean(),
});

const stepForm = z.extend(step, { days: days.check(z.minimum(1), z.maximum(REMINDER_DAYS_MAX)) });

export const reminderSettingsForm = z.object({
  automatic: z.boolean(),
  approve: z.boolean(),
  steps: z
    .array(stepForm)
    .check(
      z.minLength(1),
      z.maxLength(REMINDER_STEPS_MAX),
      z.superRefine(judgeSteps, { when: needs() }),
    ),
  minimumAmount: kronerAmount().check(
    z.refine(
      (kroner) => kroner >= 0 && kroner <= REMINDER_MINIMUM_MAX,
      rule('{0} must be from {1} to {2}', 0, REMINDER_MINIMUM_MAX),
    ),
  ),
  waiveRest: z.boolean(),
  version: basedOnVersion,
});

export const reminderSettings = described(
  z.object({
    automatic: described(
      z.boolean(),
      'Whether Faktur looks each working day for what is to be sent',
    ),
    approve: described(z.boolean(), 'Whether a person sends what is found; false sends by itself'),
    steps: described(z.array(step), 'In the order in which they are sent'),
    minimumAmount: described(
      z.number(),
      'Kroner: who owes less of an invoice is not reminded automatically',
    ),
    waiveRest: described(
      z.boolean(),
      'Whether fees and interest are let go when the invoice itself is paid',
    ),
    debtCollectionNotice: described(
      z.boolean(),
      'Whether the operator lets DEBT_COLLECTION_NOTICE be sent',
    ),
    version: described(z.nullable(version), 'null before anything was saved'),
  }),
  { id: 'ReminderSettings' },
);

export type ReminderSettings = z.infer<typeof reminderSettings>;
export type ReminderSettingsForm = z.output<typeof reminderSettingsForm>;

/** The settings of a company that has saved none. */
export const DEFAULT_REMINDER_SETTINGS = {
  automatic: false,
  approve: true,
  steps: [
    { days: 3, kind: 'REMINDER', fee: false, interest: false },
    { days: 14, kind: 'NOTICE', fee: true, interest: true },
    { days: 31, kind: 'NOTICE', fee: true, interest: true },
  ],
  minimumAmount: 100,
  waiveRest: true,
} as const satisfies Omit<ReminderSettingsForm, 'version'>;

type Step = z.output<typeof stepForm>;

/** Checks the order of the steps and the legal limits of their fees. */
function judgeSteps(steps: readonly Step[], context: z.core.$RefinementCtx): void {
  let fees = 0;
  for (const [index, { days: day, kind, fee }] of steps.entries()) {
    const fault = (field: keyof Step, ...broken: Parameters<typeof rule>) =>
      context.addIssue({ code: 'custom', path: [index, field], ...rule(...broken) });
    const before = steps[index - 1];
    if (before && day <= before.days) fault('days', '{0} must be more than in the step before');
    if (!fee) continue;
    fees += 1;
    if (kind === 'REMINDER') fault('fee', '{0} is not allowed: a REMINDER is free of charge');
    else if (day < DAYS_BEFORE_FEE)
      fault('fee', '{0} is not allowed before day {1} (inkassoforskriften § 1-2)', DAYS_BEFORE_FEE);
    else if (fees > FEES_MAX)
      fault(
        'fee',
        '{0} is not allowed in more than {1} steps (inkassoforskriften § 1-3)',
        FEES_MAX,
      );
  }
}
