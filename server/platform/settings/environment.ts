import { isIP } from 'node:net';
import { resolve } from 'node:path';

import { z } from 'zod';

import { SWITCHES } from '../../../domain/api/endpoint.ts';
import { readS3Address } from '../object-store/object-store.ts';

const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

const PERCENT_ENCODED = '; in a user name or password, write @ as %40, # as %23, / as %2F';

function url(...protocols: string[]) {
  const hasPassword = !protocols.includes('http:');
  return text.refine(
    (value) => value === undefined || protocols.includes(URL.parse(value)?.protocol ?? ''),
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}${hasPassword ? PERCENT_ENCODED : ''}`,
  );
}

/** A URL with only a scheme and a host. */
function origin(fault: string) {
  return url('http:', 'https:')
    .refine((value) => {
      const parsed = value === undefined ? null : URL.parse(value);
      return parsed === null || (parsed.pathname === '/' && parsed.search + parsed.hash === '');
    }, fault)
    .transform((value) => (value === undefined ? undefined : new URL(value).origin));
}

/** Invoices and our token are sent there, so it must be encrypted. */
const accessPointUrl = origin('must end after the host').refine((value) => {
  const parsed = value === undefined ? null : URL.parse(value);
  return parsed === null || parsed.protocol === 'https:' || LOOPBACK.test(parsed.hostname);
}, 'must be https, or http on this machine: invoices and the token go there');

const LOOPBACK = /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/;

/** An IP address and a port; null for anything else. */
function readSocketAddress(value: string): { host: string; port: number } | null {
  const [, host = '', digits = ''] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(value) ?? [];
  const port = Number(digits);
  return isIP(host) !== 0 && port > 0 && port < 65_536 ? { host, port } : null;
}

/** A name or an address, and a port. */
const HOST_AND_PORT = /^(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/;

const nameServer = text.refine(
  (value) => value === undefined || readSocketAddress(value) !== null,
  'must be an IP address and a port, such as 127.0.0.1:53 or [::1]:53',
);

/** For trials. On another machine it could be a host that the guards of look-ups are there to protect. */
const loopbackPublisher = text
  .refine((value) => {
    const host = value === undefined ? '127.0.0.1' : readSocketAddress(value)?.host;
    return host === '::1' || LOOPBACK.test(host ?? '');
  }, 'must be an address of this machine and a port, such as 127.0.0.1:8443')
  .transform((value) => (value === undefined ? null : readSocketAddress(value)));

/** The same rule as `singleAddress` of server/mail: with an invalid sender every mail would fail. */
const ADDRESS =
  /^[^\s@<>,;:"()[\]\\.]+(\.[^\s@<>,;:"()[\]\\.]+)*@[\p{L}\p{N}][\p{L}\p{N}-]*(\.[\p{L}\p{N}][\p{L}\p{N}-]*)*$/u;

function mailAddress(fallback: string) {
  return text
    .transform((value) => value ?? fallback)
    .refine((value) => ADDRESS.test(value), 'must be an address such as faktura@example.no');
}

function whole(least: number, most: number, fallback: number) {
  return text
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .refine(
      (value) => Number.isInteger(value) && value >= least && value <= most,
      `must be a whole number from ${least} to ${most}`,
    );
}

function wholeOrNone(least: number, most: number, fallback: number) {
  return text
    .transform((value) => (value === 'none' ? null : Number(value ?? fallback)))
    .refine(
      (value) => value === null || (Number.isInteger(value) && value >= least && value <= most),
      `must be a whole number from ${least} to ${most}, or none`,
    );
}

function choice<const T extends string>(first: T, ...others: T[]) {
  const values = [first, ...others];
  return text
    .transform((value) => value ?? first)
    .refine((value): value is T => values.includes(value as T), `must be ${values.join(' or ')}`);
}

/** The public key, the host, an optional path, and the project number. */
const SENTRY_DSN = /^https?:\/\/\w+(?::\w+)?@[\w.-]+(?::\d+)?(?:\/.+)?\/\d+$/;

const list = text.transform((value) =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** Names of a list that are no switches. */
function unknownOf(names: unknown): string {
  return Array.isArray(names) ? names.filter((name: string) => !isSwitch(name)).join(', ') : '';
}

function isSwitch(name: string): boolean {
  return name === 'all' || SWITCHES.some((known) => known === name);
}

const features = list
  .refine((names) => names.every(isSwitch), {
    error: ({ input }) =>
      `must be all, or some of ${SWITCHES.join(', ')} with commas between them, and has ${unknownOf(input)}`,
  })
  .transform((names) => SWITCHES.filter((known) => names.includes(known) || names.includes('all')));

/** Region, account and name. Names of services such as 's3' are not regions. */
const TOPIC_ARN =
  /^arn:aws[a-z-]*:sns:([a-z]{2}(?:-[a-z]+)+-\d{1,2}):\d{12}:[\w-]{1,256}(?:\.fifo)?$/;

/**
 * The region of a topic, such as 'eu-north-1' of arn:aws:sns:eu-north-1:123456789012:bounces; null when it is not a
 * topic.
 */
export function readTopicRegion(arn: string): string | null {
  return TOPIC_ARN.exec(arn)?.[1] ?? null;
}

/** All environment variables that the product reads, with form and default. */
export const environment = z.object({
  PORT: whole(0, 65_535, 3000),
  HOST: text.transform((value) => value ?? '127.0.0.1'),
  PUBLIC_URL: origin('must end after the host: Faktur answers at the root of its own host name'),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATABASE_DIRECT_URL: url('postgres:', 'postgresql:'),
  DATABASE_PREPARED_STATEMENTS: choice('yes', 'no'),
  DATA_DIR: text.transform((value) => resolve(value ?? 'data')),
  DOCUMENT_STORE: text.refine(
    (value) => value === undefined || readS3Address(value) !== null,
    'must be s3://BUCKET?region=REGION for Amazon S3, or s3://BUCKET?endpoint=https://HOST&region=REGION for another; &new=no only reads what is there',
  ),
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_SESSION_TOKEN: text,
  SMTP_URL: url('smtp:', 'smtps:'),
  SMTP_TIMEOUT_SECONDS: whole(1, 600, 60),
  SMTP_CONNECTIONS: whole(1, 100, 10),
  MAIL_FROM: mailAddress('faktura@localhost'),
  SUPPORT_EMAIL: mailAddress('hjelp@localhost'),
  DKIM_DOMAIN: text,
  DKIM_SELECTOR: text,
  DKIM_PRIVATE_KEY_FILE: text,
  SECRET_KEY: text.refine(
    (value) => value === undefined || value.length >= 32,
    'must have at least 32 characters',
  ),
  REGISTRATION: choice('open', 'closed'),
  DISPATCH: choice('auto', 'staff'),
  FEATURES: features,
  DEBT_COLLECTION_NOTICE: choice('no', 'yes'),
  ACCESS_POINT: choice('none', 'phoss-ap', 'storecove'),
  ACCESS_POINT_URL: accessPointUrl,
  ACCESS_POINT_TOKEN: text,
  PEPPOL_NETWORK: text.refine(
    (value): value is 'test' | 'production' | undefined =>
      value === undefined || value === 'test' || value === 'production',
    'must be test or production',
  ),
  PEPPOL_SML_ZONE: text.refine(
    (value) => value === undefined || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value),
    'must be a domain name such as participant.sml.test.tech.peppol.org',
  ),
  PEPPOL_DNS: nameServer,
  PEPPOL_SMP: loopbackPublisher,
  STAFF_EMAILS: list.refine(
    (emails) => emails.every((email) => ADDRESS.test(email)),
    'must be addresses with commas between them',
  ),
  BUSINESS_REGISTER_URL: url('http:', 'https:'),
  SNS_TOPIC_ARNS: list.refine(
    (topics) => topics.every((topic) => readTopicRegion(topic) !== null),
    'must be topics such as arn:aws:sns:eu-north-1:123456789012:bounces, with commas between them',
  ),
  WEBHOOK_HOSTS: list
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .refine(
      (hosts) => hosts.every((host) => HOST_AND_PORT.test(host)),
      'must be hosts with ports, such as crm.internal:8443, with commas between them',
    ),
  SENTRY_DSN: text.refine(
    (value) => value === undefined || SENTRY_DSN.test(value),
    'must be as Sentry shows it, such as https://KEY@sentry.example.no/1',
  ),
  ROLE: choice('all', 'web', 'worker'),
  LOG_LEVEL: choice('info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'),
  METRICS_TOKEN: text,
  LOGIN_LIMIT_PER_IP: whole(1, 1_000_000, 100),
  REQUESTS_PER_MINUTE: whole(0, 10_000_000, 0),
  NEW_COMPANY_MAILS_PER_DAY: wholeOrNone(1, 1_000_000, 250),
  TRUST_PROXY: choice('no', 'yes'),
});

export type Environment = z.output<typeof environment>;
