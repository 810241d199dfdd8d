import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { dateText } from '../date.ts';
import { dryRunQuery, optional } from '../api/validation.ts';
import { MENDING_PLACES } from './invoice.schema.ts';

/** Largest number of invoices in one call (WIRE-18). */
export const BULK_MAX = 1000;

const uuids = z.array(z.uuid().check(z.toLowerCase())).check(z.minLength(1), z.maxLength(BULK_MAX));

/** The drafts to register; their order does not matter. Ignored when the query names one draft. */
export const queueBody = z.nullish(z.object({ uuids: optional(uuids) }));

export const queueQuery = z.extend(dryRunQuery, { invoiceUuid: z.optional(z.uuid()) });

/** Drafts that can be registered now. */
export const queueableDrafts = z.object({
  drafts: z.int(),
  emails: described(z.int(), 'How many of them would be mailed'),
  grossAmount: described(z.number(), 'Kroner with VAT'),
});

/** Result of queue: the numbers given, and the drafts left alone with the reason for each. */
export const queueResult = described(
  z.object({
    registered: z.array(z.object({ uuid: z.uuid(), invoiceNumber: z.int() })),
    skipped: z.array(
      z.object({
        uuid: z.uuid(),
        customerName: z.string(),
        customerNumber: z.nullable(z.int()),
        message: z.string(),
        mendedAt: described(
          z.nullable(z.enum(MENDING_PLACES)),
          'Where the reason can be mended; null for what is no draft',
        ),
      }),
    ),
    queueable: described(
      z.optional(queueableDrafts),
      'With dry_run: what would be registered. Nothing is, and registered is empty',
    ),
    unprintable: described(
      z.optional(z.array(z.string())),
      'With dry_run: the characters in the drafts that documents cannot show, each once',
    ),
    hinted: described(
      z.optional(z.int()),
      'With dry_run: how many of what would be registered have hints',
    ),
    asEhf: described(
      z.optional(z.int()),
      'With dry_run and EHF: how many of what would be registered go as EHF',
    ),
    changed: described(
      z.optional(
        z.array(z.object({ uuid: z.uuid(), from: z.literal('EMAIL'), to: z.literal('EHF') })),
      ),
      'What goes as EHF, since its customer receives it; with the feature einvoice',
    ),
    otherWay: described(
      z.optional(z.int()),
      'With dry_run: how many customers can receive EHF, and would get theirs another way',
    ),
  }),
  { id: 'QueueResult' },
);

export type QueueResult = z.infer<typeof queueResult>;

export const bulkStatusBody = z.object({
  uuids,
  status: z.enum(['PAID', 'REGISTERED']),
  paidDate: described(
    optional(dateText()),
    'With PAID: not after today, which it is unless stated. Not looked at otherwise',
  ),
});

/** A payment of an invoice that is to be marked as unpaid. */
const affectedPayment = z.object({
  uuid: z.uuid(),
  invoiceUuid: z.uuid(),
  date: z.iso.date(),
  amount: described(z.number(), 'Kroner'),
  source: z.enum(['MANUAL', 'BANK']),
  takenBack: described(
    z.boolean(),
    'Whether marking takes it back; false for what the bank has told of',
  ),
});

/** The invoices marked, and those left unchanged with the reason for each. */
export const bulkStatusResult = described(
  z.object({
    updated: z.array(z.uuid()),
    skipped: z.array(z.object({ uuid: z.uuid(), message: z.string() })),
    payments: described(
      z.optional(z.array(affectedPayment)),
      'With dry_run and REGISTERED: what is paid of the invoices that can be marked',
    ),
  }),
  { id: 'BulkStatusResult' },
);

export type AffectedPayment = z.infer<typeof affectedPayment>;
export type BulkStatusBody = z.output<typeof bulkStatusBody>;
