import { verify, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { limitTo } from '../../../platform/db/turns.ts';
import { readTopicRegion } from '../../../platform/settings/environment.ts';

/** A message that is not from one of our topics, or not from Amazon: 403. */
export class SnsRejected extends AppError {
  constructor(why: string) {
    super('unsigned_notification', { cause: new Error(why) });
  }
}

export type SnsMessage =
  /** We were subscribed to one of our topics; a GET of the URL confirms it. */
  | { readonly type: 'confirmation'; readonly topicArn: string; readonly subscribeUrl: string }
  /** The published message; for Amazon SES, JSON for `readSesNotice`. */
  | { readonly type: 'notification'; readonly topicArn: string; readonly message: string }
  /** The subscription has ended. */
  | { readonly type: 'unsubscribed'; readonly topicArn: string };

interface SnsOptions {
  /** The trusted topics. Amazon signs the messages of all customers alike, so without a list all are refused. */
  readonly topicArns: readonly string[];
  /** Fetches a certificate without redirects, with limits of time and size. Null when there is none; throws when the host fails. */
  readonly fetchText: (url: string) => Promise<string | null>;
  readonly now?: () => number;
}

const envelope = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string(),
  Subject: z.string().nullish(),
  Message: z.string(),
  Timestamp: z.iso.datetime(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.base64(),
  SigningCertURL: z.string(),
  Token: z.string().optional(),
  SubscribeURL: z.string().optional(),
});

type Envelope = z.output<typeof envelope>;

const MINUTE = 60_000;
// SNS retries for at most an hour and signs once. Replaying a message does no harm, since duplicates are expected; the
// limit keeps a leaked one from being used for ever.
const OLDEST = 120 * MINUTE;
const NEWEST = -15 * MINUTE;

const CERTIFICATE_PATH = /^\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/;
const KEPT_CERTIFICATES = 16;
/** A caller can make us fetch a certificate from Amazon, so the number of fetches is limited. */
const FETCHES_AT_ONCE = 4;

/** Verifies messages of Amazon SNS as its developer guide describes ("Verifying the signatures"; DEL-20). */
export function createSnsVerifier({ topicArns, fetchText, now = Date.now }: SnsOptions) {
  const certificates = createCertificateStore(fetchText);
  return {
    /**
     * @param body the parsed JSON, or its text: SNS sends it as text/plain
     * @throws SnsRejected when any part of it is wrong
     * @throws Error when the certificate cannot be fetched. SNS retries after 5xx and not after 4xx, so this must not
     *   become a 403.
     */
    verify: async (body: unknown): Promise<SnsMessage> => {
      const message = readEnvelope(body);
      // Checks that need no fetch come first.
      if (!topicArns.includes(message.TopicArn)) throw new SnsRejected('Unknown topic');
      checkAge(message, now());
      const url = certificateUrl(message);
      const certificate = await certificates.at(url);
      checkSignature(message, certificate, now());
      certificates.keep(url, certificate);
      return toMessage(message);
    },
  };
}

/**
 * Certificates by their URL. One is kept when it has verified a message, so a stranger who names others neither fills
 * the store nor empties it.
 */
function createCertificateStore(fetchText: SnsOptions['fetchText']) {
  const kept = new Map<string, X509Certificate>();
  const underWay = new Map<string, Promise<X509Certificate>>();
  const oneOfFew = limitTo(FETCHES_AT_ONCE);

  async function fetchOnce(url: string): Promise<X509Certificate> {
    const fetching = oneOfFew(async () => toCertificate(await fetchText(url)));
    underWay.set(url, fetching);
    try {
      return await fetching;
    } finally {
      underWay.delete(url);
    }
  }

  return {
    at: async (url: string) => kept.get(url) ?? underWay.get(url) ?? fetchOnce(url),
    keep(url: string, certificate: X509Certificate): void {
      if (!kept.has(url) && kept.size >= KEPT_CERTIFICATES) kept.clear();
      kept.set(url, certificate);
    },
  };
}

function toCertificate(pem: string | null): X509Certificate {
  try {
    if (pem !== null) return new X509Certificate(pem);
  } catch {
    // Not a certificate; refused below.
  }
  throw new SnsRejected('No certificate at SigningCertURL');
}

function readEnvelope(body: unknown): Envelope {
  const parsed = envelope.safeParse(typeof body === 'string' ? parseJson(body) : body);
  if (!parsed.success) throw new SnsRejected(`Not an SNS message: ${parsed.error.message}`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkAge({ Timestamp }: Envelope, now: number): void {
  const age = now - Date.parse(Timestamp);
  if (age > OLDEST || age < NEWEST) throw new SnsRejected(`Sent at ${Timestamp}`);
}

function certificateUrl(message: Envelope): string {
  const url = amazonUrl(message.SigningCertURL, message);
  if (!CERTIFICATE_PATH.test(url.pathname) || url.search !== '' || url.hash !== '') {
    throw notOfAmazon(message.SigningCertURL);
  }
  return url.href;
}

/**
 * The URL if it is on the host of Amazon SNS in the topic's region. Other names under amazonaws.com belong to customers
 * of Amazon, such as sns.s3.amazonaws.com to the owner of that bucket, and an attacker could make us call them.
 */
function amazonUrl(text: string, { TopicArn }: Envelope): URL {
  const url = URL.parse(text);
  const region = readTopicRegion(TopicArn);
  const isOurs =
    url !== null &&
    region !== null &&
    url.protocol === 'https:' &&
    url.hostname === `sns.${region}.amazonaws.com` &&
    url.port === '' &&
    url.username === '' &&
    url.password === '';
  if (!isOurs) throw notOfAmazon(text);
  return url;
}

function notOfAmazon(text: string): SnsRejected {
  return new SnsRejected(`Not an address of Amazon SNS: ${text}`);
}

function checkSignature(message: Envelope, certificate: X509Certificate, now: number): void {
  const { validFromDate, validToDate, publicKey } = certificate;
  if (now < validFromDate.getTime() || now > validToDate.getTime()) {
    throw new SnsRejected('The certificate is not valid now');
  }
  const isValid =
    publicKey.asymmetricKeyType === 'rsa' &&
    verify(
      message.SignatureVersion === '1' ? 'sha1' : 'sha256',
      Buffer.from(stringToSign(message)),
      publicKey,
      Buffer.from(message.Signature, 'base64'),
    );
  if (!isValid) throw new SnsRejected('The signature is not right');
}

const SIGNED_FIELDS = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
} as const;

/** The text that SNS signed: each present field as `Name\nvalue\n`, in alphabetical order. */
function stringToSign(message: Envelope): string {
  const fields =
    message.Type === 'Notification'
      ? SIGNED_FIELDS.Notification
      : SIGNED_FIELDS.SubscriptionConfirmation;
  return fields
    .filter((field) => message[field] != null)
    .map((field) => `${field}\n${message[field]}\n`)
    .join('');
}

function toMessage(message: Envelope): SnsMessage {
  const { Type, TopicArn: topicArn, Message } = message;
  if (Type === 'Notification') return { type: 'notification', topicArn, message: Message };
  if (Type === 'UnsubscribeConfirmation') return { type: 'unsubscribed', topicArn };
  const url = amazonUrl(message.SubscribeURL ?? '', message);
  if (url.pathname !== '/' || url.searchParams.get('Action') !== 'ConfirmSubscription') {
    throw new SnsRejected('Not a subscription to confirm');
  }
  return { type: 'confirmation', topicArn, subscribeUrl: url.href };
}
