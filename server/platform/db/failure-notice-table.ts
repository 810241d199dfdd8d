import type { Timestamp } from './column-types.ts';

/** Notices to companies about failed deliveries. */
export interface FailureNoticeTable {
  companyId: number;
  sentAt: Timestamp | null;
  /** The id of the next notice's mail. */
  uuid: string | null;
  deliveryIds: number[] | null;
}
