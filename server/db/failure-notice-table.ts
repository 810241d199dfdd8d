import type { Timestamp } from './column-types.ts';

/** What a company is told of deliveries that failed. */
export interface FailureNoticeTable {
  companyId: number;
  sentAt: Timestamp | null;
  /** Names the mail that is to leave now. */
  uuid: string | null;
  deliveryIds: number[] | null;
}
