import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, optional } from '../api/validation.ts';
import { dateText } from '../date.ts';
import { codeForm } from '../session/session.schema.ts';
import { requiredEmail, requiredText } from '../text.ts';
import {
  customers,
  isPeriod,
  medianDays,
  outstanding,
  overdue,
  turnover,
  vat,
} from './overview.schema.ts';

/** The figures that a link may show (OVER-11). */
const SHOWN = ['TURNOVER', 'VAT', 'OUTSTANDING', 'OVERDUE', 'CUSTOMERS'] as const;
export type Shown = (typeof SHOWN)[number];

/** Periods of links that follow the calendar. */
const RUNNING_PERIODS = ['THIS_YEAR', 'LAST_YEAR', 'LAST_12_MONTHS'] as const;
export type RunningPeriod = (typeof RUNNING_PERIODS)[number];

/** Most links of a company that work at a time (OVER-13); the database keeps it too. */
export const MOST_LINKS = 20;
/** How many days a link works. */
const LINK_DAYS = [7, 30, 90, 365] as const;

/** A new link: a period with both ends in it, or one that follows the calendar. */
export const overviewLinkForm = z
  .object({
    name: requiredText(),
    shows: z.array(z.enum(SHOWN)).check(
      z.minLength(1),
      z.maxLength(SHOWN.length),
      z.refine((shows) => new Set(shows).size === shows.length, {
        ...rule('{0} is invalid'),
        when: needs(),
      }),
    ),
    from: optional(dateText()),
    to: optional(dateText()),
    period: optional(z.enum(RUNNING_PERIODS)),
    days: z.literal(LINK_DAYS),
    email: described(
      optional(requiredEmail()),
      'Only for this address, which confirms itself by a code; required for customers',
    ),
  })
  .check(
    z.refine(({ from, to, period }) => (period ? !from && !to : Boolean(from && to)), {
      ...rule('{0} is invalid'),
      path: ['period'],
      when: needs('from', 'to', 'period'),
    }),
    z.refine(({ from, to }) => !from || !to || isPeriod(from, to), {
      ...rule('{0} is invalid'),
      path: ['to'],
      when: needs('from', 'to'),
    }),
    // Names of customers are shown to a known person alone (OVER-12).
    z.refine(({ shows, email }) => email !== null || !shows.includes('CUSTOMERS'), {
      ...rule('{0} is a required field'),
      path: ['email'],
      when: needs('shows', 'email'),
    }),
  );
export type OverviewLinkForm = z.output<typeof overviewLinkForm>;

const linkFields = {
  uuid: z.uuid(),
  name: z.string(),
  shows: z.array(z.enum(SHOWN)),
  from: z.nullable(z.iso.date()),
  to: z.nullable(z.iso.date()),
  period: z.nullable(z.enum(RUNNING_PERIODS)),
  email: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.nullable(z.iso.datetime()),
  lastUsedAt: z.nullable(z.iso.datetime()),
  daysUsed: z.int(),
};

/** A link in the list; the token is not kept. */
export const overviewLink = described(z.object(linkFields), { id: 'OverviewLink' });
export type OverviewLink = z.infer<typeof overviewLink>;

/** A new link, with the only answer that tells its address. */
export const newOverviewLink = described(z.object({ ...linkFields, url: z.url() }), {
  id: 'NewOverviewLink',
});

export const linkParams = z.object({ uuid: z.uuid() });

/** The secret of a link; whatever it is, it is looked up. */
export const sharedParams = z.object({ token: z.string() });

/** The figures of a link. What it does not show is null. */
export const sharedOverview = described(
  z.object({
    company: z.string(),
    name: z.string(),
    shows: z.array(z.enum(SHOWN)),
    from: z.iso.date(),
    to: z.iso.date(),
    asOf: z.iso.date(),
    expiresAt: z.iso.datetime(),
    turnover: z.nullable(turnover),
    vat: z.nullable(vat),
    outstanding: z.nullable(outstanding),
    overdue: z.nullable(overdue),
    customers: z.nullable(customers),
    medianDays,
  }),
  { id: 'SharedOverview' },
);
export type SharedOverview = z.infer<typeof sharedOverview>;

/** Without a code, one is mailed; with it, this browser is confirmed. */
export const sharedCodeForm = z.object({
  email: described(
    optional(requiredEmail()),
    'The address as typed: a code is mailed only to that of the link',
  ),
  code: optional(codeForm.shape.registrationToken),
});
export type SharedCode = z.output<typeof sharedCodeForm>;
