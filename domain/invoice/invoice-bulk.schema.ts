import { z } from 'zod';

import { dateText } from '../date.ts';
import { optional } from '../api/validation.ts';

/** Largest number of invoices in one call (WIRE-18). */
export const BULK_MAX = 1000;

const uuids = z.array(z.uuid().toLowerCase()).min(1).max(BULK_MAX);

/** The drafts to register; their order does not matter. Ignored when the query names one draft. */
export const queueBody = z.object({ uuids: optional(uuids) }).nullish();

export const bulkStatusBody = z.object({
  uuids,
  status: z.enum(['PAID', 'REGISTERED']),
  paidDate: optional(dateText()).meta({
    description: 'With PAID: not after today, which it is unless stated. Not looked at otherwise',
  }),
});

/** A payment of an invoice that is to be marked as unpaid. */
const affectedPayment = z.object({
  uuid: z.uuid(),
  invoiceUuid: z.uuid(),
  date: z.iso.date(),
  amount: z.number().meta({ description: 'Kroner' }),
  source: z.enum(['MANUAL', 'BANK']),
  takenBack: z
    .boolean()
    .meta({ description: 'Whether marking takes it back; false for what the bank has told of' }),
});

/** The invoices marked, and those left unchanged with the reason for each. */
export const bulkStatusResult = z
  .object({
    updated: z.array(z.uuid()),
    skipped: z.array(z.object({ uuid: z.uuid(), message: z.string() })),
    payments: z.array(affectedPayment).optional().meta({
      description: 'With dry_run and REGISTERED: what is paid of the invoices that can be marked',
    }),
  })
  .meta({ id: 'BulkStatusResult' });

export type AffectedPayment = z.infer<typeof affectedPayment>;
export type BulkStatusBody = z.output<typeof bulkStatusBody>;
