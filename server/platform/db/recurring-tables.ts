import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { DeliveryType } from '../../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import type { VatRate } from '../../../domain/invoice/invoice-line.schema.ts';
import type { InvoiceLine } from '../../../domain/invoice/invoice.totals.ts';
import type { Ore } from '../../../domain/money.ts';
import type {
  AssignmentMode,
  AssignmentState,
  IntervalUnit,
} from '../../../domain/recurring/recurring.schema.ts';
import type { GeneratedTimestamp, Timestamp } from './column-types.ts';

/** The tables of standing assignments and their runs. */
export interface RecurringTables {
  assignment: AssignmentTable;
  assignmentLine: AssignmentLineTable;
  assignmentCustomer: AssignmentCustomerTable;
  assignmentRun: AssignmentRunTable;
  assignmentRunRecipient: AssignmentRunRecipientTable;
}

/** The content of a run's invoices, with placeholders replaced. */
export interface StoredContent {
  readonly deliveryType: DeliveryType;
  readonly dueDays: number;
  /** Lines of older runs have no unit. */
  readonly lines: readonly (Omit<InvoiceLine, 'unit'> & Partial<Pick<InvoiceLine, 'unit'>>)[];
  /** Absent in runs started before invoices had a message; means none. */
  readonly message?: string | null;
}

interface AssignmentTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  name: string;
  byGroup: boolean;
  groupId: number | null;
  byTemplate: boolean;
  templateId: number | null;
  deliveryType: DeliveryType | null;
  dueDays: number | null;
  message: string | null;
  intervalUnit: IntervalUnit;
  intervalCount: number;
  day: number | null;
  isLastDay: boolean;
  firstDate: string;
  lastDate: string | null;
  occurrences: number | null;
  mode: AssignmentMode;
  state: AssignmentState;
  nextDate: string | null;
  madeThrough: string | null;
  owedFrom: string | null;
  timesMade: Generated<number>;
  obstacle: string | null;
  lostCustomers: Generated<number[]>;
  version: GeneratedAlways<number>;
  createdAt: GeneratedTimestamp;
}

interface AssignmentLineTable {
  companyId: number;
  assignmentId: number;
  position: number;
  quantity: number;
  thousandths: number;
  unit: string | null;
  description: string;
  netUnitAmount: Ore;
  vatRate: VatRate;
}

interface AssignmentCustomerTable {
  companyId: number;
  assignmentId: number;
  customerId: number;
}

interface AssignmentRunTable {
  companyId: number;
  id: GeneratedAlways<number>;
  assignmentId: number;
  periodFrom: string;
  periodTo: string;
  runOn: string;
  mode: AssignmentMode;
  content: ColumnType<StoredContent, string, never>;
  byType: HistoryAuthor['type'];
  byName: string;
  createdAt: GeneratedTimestamp;
  finishedAt: Timestamp | null;
}

interface AssignmentRunRecipientTable {
  companyId: number;
  runId: number;
  customerNumber: number;
  customerId: number | null;
  invoiceId: number | null;
  done: Generated<boolean>;
  failure: string | null;
  failureSubject: string | null;
}
