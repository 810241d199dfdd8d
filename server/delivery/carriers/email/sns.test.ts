import { createSign, generateKeyPairSync } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { localhostCertificate, snsCertificate } from '../../../testing/certificates.ts';
import { createSnsVerifier, SnsRejected } from './sns.ts';

const TOPIC = 'arn:aws:sns:eu-north-1:123456789012:faktur-bounces';
const CERTIFICATE_PATH = '/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem';
const CERTIFICATE_URL = `https://sns.eu-north-1.amazonaws.com${CERTIFICATE_PATH}`;
const NOW = Date.parse('2026-11-21T12:00:00.000Z');

type Message = Record<string, string | undefined>;

const NOTIFICATION: Message = {
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC,
  Subject: 'Amazon SES Email Event Notification',
  Message: '{"notificationType":"Bounce","æøå":"\\n"}',
  Timestamp: '2026-11-21T11:59:30.000Z',
  SignatureVersion: '2',
  SigningCertURL: CERTIFICATE_URL,
  UnsubscribeURL: 'https://sns.eu-north-1.amazonaws.com/?Action=Unsubscribe',
};

const CONFIRMATION: Message = {
  Type: 'SubscriptionConfirmation',
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37fb687f5d51e6e241d09c805a5a57b30d712f794cc5f6a988666d92',
  TopicArn: TOPIC,
  Message: 'You have chosen to subscribe to the topic.',
  SubscribeURL: `https://sns.eu-north-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336`,
  Timestamp: '2026-11-21T11:59:30.000Z',
  SignatureVersion: '2',
  SigningCertURL: CERTIFICATE_URL,
};

// Written out as the developer guide does, so that it does not share a fault with the product.
function sign(message: Message, key = snsCertificate.key): Message {
  const names =
    message['Type'] === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  let text = '';
  for (const name of names) if (message[name] !== undefined) text += `${name}\n${message[name]}\n`;
  const hash = message['SignatureVersion'] === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
  return { ...message, Signature: createSign(hash).update(text).sign(key, 'base64') };
}

function verifier(options: Partial<Parameters<typeof createSnsVerifier>[0]> = {}) {
  const fetchText = vi.fn(async (_url: string) =>
    Promise.resolve<string | null>(snsCertificate.cert),
  );
  const { verify } = createSnsVerifier({
    topicArns: ['arn:aws:sns:eu-north-1:123456789012:other', TOPIC],
    fetchText,
    now: () => NOW,
    ...options,
  });
  return { verify, fetchText };
}

async function expectRejected(body: unknown, why: RegExp, { verify } = verifier()) {
  const error: unknown = await verify(body).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(SnsRejected);
  expect((error as SnsRejected).code).toBe('unsigned_notification');
  expect(String((error as SnsRejected).cause)).toMatch(why);
}

// DEL-20
describe('a message of Amazon SNS', () => {
  it.each(['1', '2'])('is taken when its signature of version %s holds', async (version) => {
    const { verify } = verifier();
    const message = sign({ ...NOTIFICATION, SignatureVersion: version });
    const expected = { type: 'notification', topicArn: TOPIC, message: NOTIFICATION['Message'] };
    expect(await verify(message)).toEqual(expected);
    expect(await verify(JSON.stringify(message)), 'as text/plain').toEqual(expected);
  });

  it('needs no subject', async () => {
    const { Subject: _, ...message } = NOTIFICATION;
    expect(await verifier().verify(sign(message))).toMatchObject({ type: 'notification' });
  });

  it('tells which subscription to confirm', async () => {
    expect(await verifier().verify(sign(CONFIRMATION))).toEqual({
      type: 'confirmation',
      topicArn: TOPIC,
      subscribeUrl: CONFIRMATION['SubscribeURL'],
    });
  });

  it('tells that a subscription has ended', async () => {
    const message = sign({ ...CONFIRMATION, Type: 'UnsubscribeConfirmation' });
    expect(await verifier().verify(message)).toEqual({ type: 'unsubscribed', topicArn: TOPIC });
  });

  it.each(['Message', 'MessageId', 'Subject', 'Timestamp'])(
    'is refused when its %s was changed',
    async (field) => {
      const value = field === 'Timestamp' ? '2026-11-21T11:59:31.000Z' : 'changed';
      await expectRejected({ ...sign(NOTIFICATION), [field]: value }, /signature/);
    },
  );

  it.each(['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token'])(
    'is refused as a confirmation when its %s was changed',
    async (field) => {
      const value = field === 'Timestamp' ? '2026-11-21T11:59:31.000Z' : `${CONFIRMATION[field]}0`;
      await expectRejected({ ...sign(CONFIRMATION), [field]: value }, /signature/);
    },
  );

  it('is refused when it passes for another type, or another version', async () => {
    await expectRejected({ ...sign(CONFIRMATION), Type: 'UnsubscribeConfirmation' }, /signature/);
    await expectRejected({ ...sign(NOTIFICATION), SignatureVersion: '1' }, /signature/);
    await expectRejected({ ...sign(NOTIFICATION), SignatureVersion: '3' }, /Not an SNS message/);
  });

  it('is refused when another key has signed it', async () => {
    await expectRejected(sign(NOTIFICATION, localhostCertificate.key), /signature/);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    await expectRejected(sign(NOTIFICATION, pem), /signature/);
  });

  it.each([
    null,
    undefined,
    '',
    'not JSON',
    '[]',
    {},
    NOTIFICATION,
    { ...NOTIFICATION, Signature: '' },
    { ...NOTIFICATION, Signature: '***' },
    { ...NOTIFICATION, Signature: 'AAAA' },
    { ...sign(NOTIFICATION), Message: { toString: 'x' } },
    { ...sign(NOTIFICATION), Type: 'Other' },
    { ...sign(NOTIFICATION), Timestamp: 'yesterday' },
  ])('is refused when it is not one: %j', async (body) => {
    await expectRejected(body, /Not an SNS message|signature/);
  });

  it('is refused from a topic that is not ours, before anything is fetched', async () => {
    const setup = verifier();
    const topicArn = 'arn:aws:sns:eu-north-1:999999999999:faktur-bounces';
    await expectRejected(sign({ ...NOTIFICATION, TopicArn: topicArn }), /Unknown topic/, setup);
    expect(setup.fetchText).not.toHaveBeenCalled();
    await expectRejected(sign(NOTIFICATION), /Unknown topic/, verifier({ topicArns: [] }));
  });

  it('is refused once it is too old for SNS still to be trying, or from the future', async () => {
    for (const timestamp of ['2026-11-21T09:59:59.000Z', '2026-11-21T12:15:01.000Z']) {
      await expectRejected(sign({ ...NOTIFICATION, Timestamp: timestamp }), /Sent at/);
    }
    for (const timestamp of ['2026-11-21T10:00:01.000Z', '2026-11-21T12:14:59.000Z']) {
      await verifier().verify(sign({ ...NOTIFICATION, Timestamp: timestamp }));
    }
  });
});

// DEL-20
describe('the addresses in a message', () => {
  it.each([
    'http://sns.eu-north-1.amazonaws.com/a.pem',
    'https://sns.eu-north-1.amazonaws.com.evil.example/a.pem',
    'https://evil.example/sns.eu-north-1.amazonaws.com/a.pem',
    'https://evil.example#sns.eu-north-1.amazonaws.com/a.pem',
    'https://sns.eu-north-1.amazonaws.com@evil.example/a.pem',
    'https://user:pass@sns.eu-north-1.amazonaws.com/a.pem',
    'https://sns.eu-north-1.amazonaws.com:8443/a.pem',
    'https://sns.amazonaws.com/a.pem',
    'https://s3.eu-north-1.amazonaws.com/bucket/a.pem',
    'https://sns.evil.s3.amazonaws.com/a.pem',
    // Buckets of Amazon S3 named 'sns', which anybody may have had.
    `https://sns.s3.amazonaws.com${CERTIFICATE_PATH}`,
    `https://sns.s3-us-west-2.amazonaws.com${CERTIFICATE_PATH}`,
    `https://sns.s3-eu-north-1.amazonaws.com${CERTIFICATE_PATH}`,
    // A region that is not the topic's, or none at all.
    `https://sns.us-east-1.amazonaws.com${CERTIFICATE_PATH}`,
    `https://sns.eu-north-1.amazonaws.com.cn${CERTIFICATE_PATH}`,
    `https://sns.eu-north-1.amazonaws.com.${CERTIFICATE_PATH}`,
    'https://sns.eu-north-1.amazonaws.com/a.pem',
    'https://sns.eu-north-1.amazonaws.com/a.txt',
    'https://sns.eu-north-1.amazonaws.com/?a.pem',
    'https://sns.eu-north-1.amazonaws.com/#a.pem',
    `https://sns.eu-north-1.amazonaws.com${CERTIFICATE_PATH}?x=1`,
    `https://sns.eu-north-1.amazonaws.com${CERTIFICATE_PATH}#x`,
    `https://sns.eu-north-1.amazonaws.com/other${CERTIFICATE_PATH}`,
    `https://sns.eu-north-1.amazonaws.com/${CERTIFICATE_PATH}`,
    'https://sns.eu-north-1.amazonaws.com/SimpleNotificationService-.pem',
    'https://sns.eu-north-1.amazonaws.com/SimpleNotificationService-x.pem',
    'https://127.0.0.1/a.pem',
    'file:///etc/a.pem',
    'a.pem',
  ])('fetch no certificate from %s', async (url) => {
    const setup = verifier();
    await expectRejected(sign({ ...NOTIFICATION, SigningCertURL: url }), /Not an address/, setup);
    expect(setup.fetchText).not.toHaveBeenCalled();
  });

  it.each([
    'https://evil.example/?Action=ConfirmSubscription',
    'http://sns.eu-north-1.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.eu-north-1.amazonaws.com/other?Action=ConfirmSubscription',
    'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.s3.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.eu-north-1.amazonaws.com/?Action=DeleteTopic',
    '',
  ])('confirm nothing at %j', async (url) => {
    await expectRejected(sign({ ...CONFIRMATION, SubscribeURL: url }), /Not an? /);
  });

  it('confirm nothing when there is none', async () => {
    await expectRejected(sign({ ...CONFIRMATION, SubscribeURL: undefined }), /Not an address/);
  });
});

describe('the certificate', () => {
  it('is fetched once, by how many messages ever it is needed', async () => {
    const { verify, fetchText } = verifier();
    await Promise.all([verify(sign(NOTIFICATION)), verify(sign(NOTIFICATION))]);
    await verify(sign(CONFIRMATION));
    expect(fetchText.mock.calls).toEqual([[CERTIFICATE_URL]]);
  });

  it('is asked for again after it could not be fetched, and that is no refusal', async () => {
    const fetchText = vi
      .fn<(url: string) => Promise<string | null>>()
      .mockRejectedValueOnce(new Error('no network'))
      .mockResolvedValue(snsCertificate.cert);
    const { verify } = verifier({ fetchText });
    await expect(verify(sign(NOTIFICATION))).rejects.toThrow('no network');
    await verify(sign(NOTIFICATION));
    expect(fetchText).toHaveBeenCalledTimes(2);
  });

  it.each([null, '', 'nonsense', snsCertificate.key])('must be one: %j', async (text) => {
    const setup = verifier({ fetchText: async () => Promise.resolve(text) });
    await expectRejected(sign(NOTIFICATION), /No certificate/, setup);
  });

  it.each(['2024-12-31T23:59:59.000Z', '2125-01-01T00:00:01.000Z'])(
    'must be valid at %s',
    async (timestamp) => {
      const setup = verifier({ now: () => Date.parse(timestamp) });
      await expectRejected(
        sign({ ...NOTIFICATION, Timestamp: timestamp }),
        /certificate is not valid/,
        setup,
      );
    },
  );

  it('does not pile up', async () => {
    const { verify, fetchText } = verifier();
    for (let number = 0; number < 20; number += 1) {
      await verify(sign({ ...NOTIFICATION, SigningCertURL: certificateUrl(number) }));
    }
    await verify(sign({ ...NOTIFICATION, SigningCertURL: certificateUrl(0) }));
    expect(fetchText).toHaveBeenCalledTimes(21);
  });

  it('is kept whatever strangers name who have signed nothing', async () => {
    const { verify, fetchText } = verifier();
    await verify(sign(NOTIFICATION));
    for (let number = 0; number < 40; number += 1) {
      const forged = {
        ...sign(NOTIFICATION),
        SigningCertURL: certificateUrl(number),
        Message: 'x',
      };
      await expectRejected(forged, /signature/, { verify, fetchText });
    }
    fetchText.mockClear();
    await verify(sign(NOTIFICATION));
    expect(fetchText).not.toHaveBeenCalled();
  });

  it('is not fetched by more than a few at a time, however many strangers ask', async () => {
    let underWay = 0;
    let most = 0;
    const fetchText = vi.fn(async (_url: string) => {
      most = Math.max(most, (underWay += 1));
      await setTimeout(1);
      underWay -= 1;
      return null;
    });
    const { verify } = verifier({ fetchText });
    await Promise.all(
      Array.from({ length: 50 }, async (_, number) =>
        expectRejected(
          sign({ ...NOTIFICATION, SigningCertURL: certificateUrl(number) }),
          /No certificate/,
          { verify, fetchText },
        ),
      ),
    );
    expect(most).toBeLessThanOrEqual(4);
  });
});

function certificateUrl(number: number): string {
  const name = number.toString(16).padStart(32, '0');
  return `https://sns.eu-north-1.amazonaws.com/SimpleNotificationService-${name}.pem`;
}
