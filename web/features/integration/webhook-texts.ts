import type {
  EventType,
  Webhook,
  WebhookDelivery,
} from '../../../domain/integration/webhook.schema.ts';
import type { Label } from '../../ui/Badge.tsx';

/** Types of events as people call them. */
export const EVENT_NAMES: Readonly<Record<EventType, string>> = {
  'invoice.registered': 'Faktura er registrert',
  'invoice.sent': 'Faktura er sendt',
  'invoice.failed': 'Faktura kom ikke fram',
  'invoice.paid': 'Faktura er betalt',
  'invoice.unpaid': 'Faktura er ikke betalt likevel',
  'invoice.credited': 'Faktura er kreditert',
  'payment.received': 'Innbetaling er ført',
  'reminder.sent': 'Purring er laget',
  'quote.sent': 'Tilbud er sendt',
  'quote.accepted': 'Tilbud er godtatt',
  'quote.declined': 'Tilbud er avslått',
};

/** Names what a message is about. */
export function nameOfMessage(type: WebhookDelivery['type']): string {
  return type === 'webhook.test' ? 'Prøve' : EVENT_NAMES[type];
}

export const STATE_LABELS: Readonly<Record<WebhookDelivery['state'], Label>> = {
  WAITING: { text: 'Venter', tone: 'blue' },
  DELIVERED: { text: 'Kom fram', tone: 'green' },
  FAILED: { text: 'Feilet', tone: 'red' },
  CANCELLED: { text: 'Avbrutt', tone: 'gray' },
};

const ERROR_TEXTS: Readonly<Record<NonNullable<WebhookDelivery['lastError']>, string>> = {
  NO_ADDRESS: 'Adressen finnes ikke',
  NOT_PUBLIC: 'Adressen er ikke på det åpne nettet',
  CONNECTION: 'Ingen forbindelse',
  CERTIFICATE: 'Sertifikatet er ikke gyldig',
  TIMEOUT: 'Ikke noe svar på 15 sekunder',
  FAULTY_ANSWER: 'Svaret er ødelagt',
  SECRET_UNREADABLE: 'Hemmeligheten kan ikke leses. Bytt den',
};

/** The receiver's answer, such as 'Svarte 500'. Null before the first attempt. */
export function answerText(
  status: number | null,
  error: WebhookDelivery['lastError'],
): string | null {
  if (error !== null) return ERROR_TEXTS[error];
  return status === null ? null : `Svarte ${status}`;
}

const DISABLED_TEXTS: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  GONE: 'Slått av: mottakeren vil ikke ha flere',
  FAILING: 'Slått av: ingenting har kommet fram på fem dager',
  TOO_MANY: 'Slått av: for mange meldinger ventet',
};

/** How a webhook is doing. */
export function labelOf({ active, disabledReason, failingSince }: Webhook): Label {
  if (disabledReason) return { text: DISABLED_TEXTS[disabledReason], tone: 'red' };
  if (!active) return { text: 'Av', tone: 'gray' };
  return failingSince ? { text: 'Feiler', tone: 'amber' } : { text: 'På', tone: 'green' };
}
