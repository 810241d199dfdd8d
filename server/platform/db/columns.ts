import { sql, type ColumnType, type RawBuilder } from 'kysely';

import type { EntryOutcome } from '../../../domain/bank-file/bank-file.schema.ts';
import type { DeliveryType } from '../../../domain/delivery/delivery.schema.ts';
import type { TreatedLine } from '../../../domain/invoice/invoice.totals.ts';
import type { Ore } from '../../../domain/money.ts';
import type { SuggestionReason } from '../../../domain/payment/payment.schema.ts';

export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** Kysely does not unwrap Generated<ColumnType>, so this is written out. */
export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;

/** Where a document's bytes are stored. */
export type DocumentHome = 'DATABASE' | 'S3';

/** The content of a run's invoices, with placeholders replaced. */
export interface StoredContent {
  readonly deliveryType: DeliveryType;
  readonly dueDays: number;
  /** Without treatments and products in runs that began before lines had them. */
  readonly lines: readonly (Omit<TreatedLine, 'vatTreatment' | 'productNumber'> &
    Partial<TreatedLine>)[];
  readonly message: string | null;
}

/** Number and sum of the entries with an outcome. */
export interface OutcomeSum {
  readonly outcome: EntryOutcome;
  readonly count: number;
  readonly sum: Ore;
}

/** The part of a payment that is allocated to an invoice. */
export interface StoredPlacement {
  readonly invoiceId: number;
  readonly amount: Ore;
  /** The part that pays its reminders; absent means 0. */
  readonly reminderAmount?: Ore;
}

/** A KID in a payment, with its part of the payment if the file specifies it. */
export interface StoredKid {
  readonly kid: string;
  readonly amount: Ore | null;
}

/** An invoice to which a user may want to allocate a payment. */
export interface StoredSuggestion {
  readonly reason: SuggestionReason;
  readonly invoiceIds: readonly number[];
}

/**
 * A condition of an update: the row still has the version on which the update is based. It is part of the update
 * itself, so the second of two concurrent updates sees the first. Without a version it is always true.
 */
export function isStill(version: number | null | undefined): RawBuilder<boolean> {
  const based = version ?? null;
  return sql<boolean>`(${based}::integer IS NULL OR version = ${based}::integer)`;
}
