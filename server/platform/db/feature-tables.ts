import type { BankFileTables } from './bank-file-tables.ts';
import type { EhfTables } from './ehf-tables.ts';
import type { LatePaymentTables } from './late-payment-tables.ts';
import type { LogoTables } from './logo-tables.ts';
import type { PaymentTables } from './payment-tables.ts';
import type { RecurringTables } from './recurring-tables.ts';
import type { ReminderTables } from './reminder-tables.ts';

/** The tables of optional features, and of logos. They exist even if the feature is off. */
export type FeatureTables = BankFileTables &
  EhfTables &
  LatePaymentTables &
  LogoTables &
  PaymentTables &
  RecurringTables &
  ReminderTables;
