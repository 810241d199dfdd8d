import type { QueueResult } from '../../domain/invoice/invoice-bulk.schema.ts';
import { oreToKroner, sumKroner } from '../../domain/money.ts';
import { changedIn } from '../einvoice/ehf-first.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import type { Numbered, Skipped } from './numbering.ts';

/** The registered invoices, the skipped drafts, and the sums of what was registered. */
export interface Outcome {
  readonly registered: QueueResult['registered'];
  /** Those of them that were drafts for e-mail, and go as EHF. */
  readonly changed: NonNullable<QueueResult['changed']>;
  readonly skipped: readonly Skipped[];
  readonly queueable: NonNullable<QueueResult['queueable']>;
  /** How many of them go as EHF. */
  readonly asEhf: number;
  /** How many drafts have hints; none unless it is a trial. */
  readonly hinted: number;
  /** The numbers of customers who can receive EHF, and would get theirs another way; none unless it is a trial. */
  readonly otherWay: readonly number[];
}

/** The outcome of registering these drafts. @param given the drafts as they were before */
export function outcomeOf(
  given: readonly InvoiceRow[],
  numbered: readonly Numbered[],
  skipped: readonly Skipped[],
): Outcome {
  return {
    registered: numbered.map(({ uuid, invoiceNumber }) => ({ uuid, invoiceNumber })),
    changed: changedIn(given, numbered),
    skipped,
    queueable: sumOf(
      numbered.map(({ deliveryType, grossAmount }) => ({
        drafts: 1,
        emails: deliveryType === 'EMAIL' ? 1 : 0,
        grossAmount: oreToKroner(grossAmount),
      })),
    ),
    asEhf: numbered.filter(({ deliveryType }) => deliveryType === 'EHF').length,
    hinted: 0,
    otherWay: [],
  };
}

/** The outcome of several statements; of none, that nothing was done. */
export function joined(parts: readonly Outcome[]): Outcome {
  return {
    registered: parts.flatMap(({ registered }) => registered),
    changed: parts.flatMap(({ changed }) => changed),
    skipped: parts.flatMap(({ skipped }) => skipped),
    queueable: sumOf(parts.map(({ queueable }) => queueable)),
    asEhf: parts.reduce((sum, { asEhf }) => sum + asEhf, 0),
    hinted: parts.reduce((sum, { hinted }) => sum + hinted, 0),
    otherWay: [...new Set(parts.flatMap(({ otherWay }) => otherWay))],
  };
}

function sumOf(parts: readonly Outcome['queueable'][]): Outcome['queueable'] {
  return {
    drafts: parts.reduce((sum, { drafts }) => sum + drafts, 0),
    emails: parts.reduce((sum, { emails }) => sum + emails, 0),
    grossAmount: sumKroner(parts.map(({ grossAmount }) => grossAmount)),
  };
}
