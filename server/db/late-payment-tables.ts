import type { LatePaymentRateKind } from '../../domain/late-payment/rates.ts';
import type { GeneratedTimestamp } from './column-types.ts';

/** The tables of what may be asked for when a payment is late. */
export interface LatePaymentTables {
  latePaymentRate: LatePaymentRateTable;
}

/** What the operator has added. */
interface LatePaymentRateTable {
  kind: LatePaymentRateKind;
  validFrom: string;
  value: number;
  addedAt: GeneratedTimestamp;
}
