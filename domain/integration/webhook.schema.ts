import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { pageNumber } from '../api/pages.ts';
import { rule } from '../api/rules.ts';
import { needs, optional } from '../api/validation.ts';
import { optionalText, requiredText } from '../text.ts';

/** The events that an endpoint may ask for (INT-20). */
export const EVENT_TYPES = [
  'invoice.registered',
  'invoice.sent',
  'invoice.failed',
  'invoice.paid',
  'invoice.unpaid',
  'invoice.credited',
  'payment.received',
  'reminder.sent',
  'quote.sent',
  'quote.accepted',
  'quote.declined',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Every event, also those of later versions. */
const ALL_EVENTS = '*';
const MESSAGE_TYPES = [...EVENT_TYPES, 'webhook.test'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Most webhooks of a company (INT-14). */
export const MOST_WEBHOOKS = 10;
const URL_LENGTH = 2000;

/** Whether a text is the address of an endpoint. The server judges protocol and host too. */
function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && !text.includes('#');
}

const fields = {
  url: described(
    requiredText(URL_LENGTH).check(z.refine(isEndpoint, rule('{0} is invalid'))),
    'https, without user, password and fragment',
  ),
  description: optionalText(),
  events: described(
    z.array(z.enum([...EVENT_TYPES, ALL_EVENTS])).check(
      z.minLength(1),
      z.maxLength(EVENT_TYPES.length),
      z.refine((types) => types.length === 1 || !types.includes(ALL_EVENTS), {
        ...rule('{0} is invalid'),
        when: needs(),
      }),
    ),
    'Types of events, or * alone for all of them',
  ),
};

/** A new endpoint. */
export const webhookForm = z.object(fields);
export type WebhookForm = z.output<typeof webhookForm>;

/** All that may change of an endpoint. */
export const webhookUpdate = z.object({ ...fields, active: z.boolean() });
export type WebhookUpdate = z.output<typeof webhookUpdate>;

const DISABLED_REASONS = ['GONE', 'FAILING', 'TOO_MANY'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

const webhookFields = {
  uuid: z.uuid(),
  url: z.string(),
  description: z.nullable(z.string()),
  events: z.array(z.enum([...EVENT_TYPES, ALL_EVENTS])),
  active: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSuccessAt: z.nullable(z.iso.datetime()),
  failingSince: described(
    z.nullable(z.iso.datetime()),
    'The first failure since something got through',
  ),
  disabledReason: described(
    z.nullable(z.enum(DISABLED_REASONS)),
    'Why it was turned off by itself: it answered 410, nothing got through for five days, or too much waited',
  ),
};

/** An endpoint, without its secret. */
export const webhook = described(z.object(webhookFields), { id: 'Webhook' });
export type Webhook = z.infer<typeof webhook>;

/** An endpoint with a new secret, in the only answer that tells it. */
export const webhookWithSecret = described(z.object({ ...webhookFields, secret: z.string() }), {
  id: 'WebhookWithSecret',
});
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

export const webhookParams = z.object({ uuid: z.uuid() });
export const webhookDeliveryParams = z.object({ uuid: z.uuid(), deliveryUuid: z.uuid() });

const DELIVERY_STATES = ['WAITING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why an attempt had no answer. */
const ATTEMPT_ERRORS = [
  'NO_ADDRESS',
  'NOT_PUBLIC',
  'CONNECTION',
  'CERTIFICATE',
  'TIMEOUT',
  'FAULTY_ANSWER',
  'SECRET_UNREADABLE',
] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

const attemptError = described(
  z.nullable(z.enum(ATTEMPT_ERRORS)),
  'Why there was no answer: the name has no address or one that is not public, no connection, a certificate that is not ' +
    'trusted, no answer in 15 seconds, an answer that is no HTTP, or a secret that SECRET_KEY no longer reads',
);

const deliveryFields = {
  uuid: z.uuid(),
  type: z.enum(MESSAGE_TYPES),
  createdAt: z.iso.datetime(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  nextAttemptAt: z.nullable(z.iso.datetime()),
  lastStatus: z.nullable(z.int()),
  lastError: attemptError,
};

/** A message to an endpoint, in its log. */
export const webhookDelivery = described(z.object(deliveryFields), { id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

const attempt = described(
  z.object({
    at: z.iso.datetime(),
    status: z.nullable(z.int()),
    error: attemptError,
    milliseconds: z.int(),
    response: described(z.string(), 'The first 1,024 bytes of the answer'),
  }),
  { id: 'WebhookAttempt' },
);
export type Attempt = z.infer<typeof attempt>;

/** A message with what was sent, and its latest attempts. */
export const webhookDeliveryDetail = described(
  z.object({
    ...deliveryFields,
    body: described(z.string(), 'The same at every attempt'),
    tries: described(z.array(attempt), 'The latest 20, in their order'),
  }),
  { id: 'WebhookDeliveryDetail' },
);
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;

export const webhookLogQuery = z.object({
  page: pageNumber,
  state: optional(z.enum(DELIVERY_STATES)),
});

export const webhookLog = described(
  z.object({
    count: z.int(),
    next: described(z.nullable(z.string()), 'Path of the next page'),
    previous: described(z.nullable(z.string()), 'Path of the page before'),
    results: z.array(webhookDelivery),
  }),
  { id: 'WebhookLog' },
);
export type WebhookLog = z.infer<typeof webhookLog>;
