import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, optional } from '../api/validation.ts';
import { customerNumber } from '../customer/customer.schema.ts';
import { dateText } from '../date.ts';
import { LISTED_STATUSES } from '../invoice/invoice-list.schema.ts';
import { requiredEmail, searchQueryText } from '../text.ts';

/** The kinds of export (EXP-1). */
export const EXPORT_KINDS = [
  'XLSX',
  'CSV',
  'GBAT10',
  'TWENTYFOURSEVEN',
  'UNI',
  'SAFT',
  'DOCUMENTS',
  'ARCHIVE',
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** The longest download of a file, on a slow line (milliseconds). */
export const EXPORT_DOWNLOAD = 2 * 60 * 60_000;

const EXPORT_STATES = ['WAITING', 'WORKING', 'DONE', 'FAILED'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** The list's filter, as it was when the export was asked for. Payments are not filtered. */
export const exportFilter = z.object({
  status: optional(z.enum(LISTED_STATUSES)),
  query: searchQueryText(),
  customerNumber: optional(customerNumber),
});
export type ExportFilter = z.output<typeof exportFilter>;

/** The wanted export: a period with both ends in it, or all since the last export. */
export const exportBody = z
  .object({
    kind: z.enum(EXPORT_KINDS),
    from: optional(dateText()),
    to: optional(dateText()),
    sinceLast: described(
      optional(z.literal(true)),
      'Instead of a period: everything that no file of its family has',
    ),
    filter: optional(exportFilter),
    sendTo: described(
      optional(requiredEmail()),
      'Mailed a link to the file, which works for 7 days',
    ),
  })
  .check(
    z.refine(
      ({ kind, from, to, sinceLast }) =>
        sinceLast ? !from && !to : kind === 'ARCHIVE' || Boolean(from && to),
      {
        ...rule('{0} is invalid'),
        path: ['from'],
        when: needs('kind', 'from', 'to', 'sinceLast'),
      },
    ),
    // A link needs no login, and an archive is everything that a company has (EXP-13).
    z.refine(({ kind, sendTo }) => kind !== 'ARCHIVE' || !sendTo, {
      ...rule('{0} is invalid'),
      path: ['sendTo'],
      when: needs('kind', 'sendTo'),
    }),
    z.refine(({ from, to }) => !from || !to || from <= to, {
      ...rule('{0} is invalid'),
      path: ['to'],
      when: needs('from', 'to'),
    }),
  );
export type ExportBody = z.output<typeof exportBody>;

/** Contents of an export: kroner without credit notes, and how many of what. */
const contents = {
  kind: z.enum(EXPORT_KINDS),
  from: described(z.nullable(z.iso.date()), 'null: from the first day'),
  to: z.iso.date(),
  firstNumber: z.nullable(z.int()),
  lastNumber: z.nullable(z.int()),
  invoices: z.int(),
  creditNotes: z.int(),
  net: described(z.number(), 'Kroner: invoices less credit notes'),
  vat: z.number(),
  gross: z.number(),
};

export const companyExport = described(
  z.object({
    uuid: z.uuid(),
    ...contents,
    state: z.enum(EXPORT_STATES),
    progress: described(z.number(), 'From 0 to 1'),
    sha256: described(z.nullable(z.string()), 'null until the file was made'),
    createdAt: z.iso.datetime(),
    by: described(z.string(), 'Who asked for it'),
    isYours: described(z.boolean(), 'Whether the caller’s account asked for it'),
    expiresAt: described(
      z.nullable(z.iso.datetime()),
      'In the past: there was a file. null: there is none',
    ),
    sentTo: z.nullable(z.string()),
    linkSentAt: described(
      z.nullable(z.iso.datetime()),
      'When the mail server took the link; null before, and when it refused it',
    ),
  }),
  { id: 'Export' },
);
export type CompanyExport = z.infer<typeof companyExport>;

/** The contents that an export would have; nothing is made. */
export const exportTrial = described(
  z.object({
    ...contents,
    draftsLeftOut: z.int(),
    exportedBefore: z.array(
      z.object({
        uuid: z.uuid(),
        firstNumber: z.int(),
        lastNumber: z.int(),
        at: z.iso.datetime(),
      }),
    ),
  }),
  { id: 'ExportTrial' },
);
export type ExportTrial = z.infer<typeof exportTrial>;

export const exportParams = z.object({ uuid: z.uuid() });
