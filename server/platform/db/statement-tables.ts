import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { IsoDate } from '../../../domain/date.ts';
import type { StatementRecipient } from '../../../domain/portal/statement-delivery.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';

/** The table of mailed statements. */
export interface StatementTables {
  statementDelivery: StatementDeliveryTable;
}

interface StatementDeliveryTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  customerId: number;
  fromDate: IsoDate;
  toDate: IsoDate;
  recipients: ColumnType<readonly StatementRecipient[], string, string>;
  sentAt: Timestamp | null;
  createdAt: GeneratedTimestamp;
}
