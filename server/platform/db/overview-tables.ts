import type { Generated, GeneratedAlways } from 'kysely';

import type { IsoDate } from '../../../domain/date.ts';
import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import type { RunningPeriod, Shown } from '../../../domain/overview/overview-link.schema.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';

/** The tables of links to the overview. */
export interface OverviewTables {
  overviewLink: OverviewLinkTable;
  overviewLinkUse: OverviewLinkUseTable;
}

interface OverviewLinkTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  tokenHash: Uint8Array;
  name: string;
  shows: readonly Shown[];
  fromDate: IsoDate | null;
  toDate: IsoDate | null;
  period: RunningPeriod | null;
  email: string | null;
  byType: HistoryAuthor['type'];
  byName: string;
  /** Its author, or the owner who answers for it after the author was removed; null: unknown. */
  accountId: number | null;
  createdAt: GeneratedTimestamp;
  days: number;
  expiresAt: Timestamp;
  revokedAt: Timestamp | null;
  codeHash: Uint8Array | null;
  codeExpiresAt: Timestamp | null;
  wrongCodes: Generated<number>;
}

interface OverviewLinkUseTable {
  companyId: number;
  linkId: number;
  day: IsoDate;
  firstAt: GeneratedTimestamp;
}
