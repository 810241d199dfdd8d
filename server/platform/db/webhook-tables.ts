import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

import type {
  Attempt,
  AttemptError,
  DeliveryState,
  DisabledReason,
  EventType,
  MessageType,
  WebhookForm,
} from '../../../domain/integration/webhook.schema.ts';
import type { GeneratedTimestamp, Timestamp } from './columns.ts';

/** The tables of webhooks. */
export interface WebhookTables {
  webhookSwitch: WebhookSwitchTable;
  webhook: WebhookTable;
  webhookEvent: WebhookEventTable;
  webhookDelivery: WebhookDeliveryTable;
}

/** One row, of the installation. */
interface WebhookSwitchTable {
  id: Generated<boolean>;
  /** The types of events that the features of the installation allow. */
  types: EventType[];
}

interface WebhookTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  url: string;
  description: string | null;
  events: WebhookForm['events'];
  active: Generated<boolean>;
  /** Encrypted. */
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousUntil: Timestamp | null;
  createdAt: GeneratedTimestamp;
  lastSuccessAt: Timestamp | null;
  failingSince: Timestamp | null;
  disabledReason: DisabledReason | null;
  dueAt: Timestamp | null;
}

/** Written by triggers. */
interface WebhookEventTable {
  companyId: number;
  id: GeneratedAlways<number>;
  type: EventType;
  at: Timestamp;
  invoiceId: number | null;
  details: unknown;
  webhookIds: number[];
}

interface WebhookDeliveryTable {
  companyId: number;
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  webhookId: number;
  type: MessageType;
  body: string;
  state: DeliveryState;
  attempts: Generated<number>;
  nextAttemptAt: Timestamp | null;
  leasedUntil: Timestamp | null;
  isSingle: Generated<boolean>;
  lastStatus: number | null;
  lastError: AttemptError | null;
  tries: ColumnType<readonly Attempt[], string | undefined, string>;
  createdAt: GeneratedTimestamp;
}
