import type { LatePaymentRateKind } from '../../../domain/late-payment/rates.ts';
import type { GeneratedTimestamp } from './column-types.ts';

/** The tables of late payment rates. */
export interface LatePaymentTables {
  latePaymentRate: LatePaymentRateTable;
}

/** Rates that the operator has added. */
interface LatePaymentRateTable {
  kind: LatePaymentRateKind;
  validFrom: string;
  value: number;
  addedAt: GeneratedTimestamp;
}
