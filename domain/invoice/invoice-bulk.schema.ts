import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { dateText } from '../date.ts';
import { optional } from '../api/validation.ts';

/** Largest number of invoices in one call (WIRE-18). */
export const BULK_MAX = 1000;

const uuids = z.array(z.uuid().check(z.toLowerCase())).check(z.minLength(1), z.maxLength(BULK_MAX));

/** The drafts to register; their order does not matter. Ignored when the query names one draft. */
export const queueBody = z.nullish(z.object({ uuids: optional(uuids) }));

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
