import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type { IsoDate } from '../../../domain/date.ts';
import type { MailRecipient } from '../../../domain/delivery/mail-recipients.ts';
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
  recipients: ColumnType<readonly MailRecipient[], string, string>;
  sentAt: Timestamp | null;
  createdAt: GeneratedTimestamp;
}
