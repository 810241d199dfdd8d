import { createSign } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { snsCertificate } from '../../../testing/certificates.ts';
import type { Answer, TestClient } from '../../../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  register,
} from '../../../testing/factories.ts';
import { startMailServer, type MailServer } from '../../../testing/smtp-server.ts';
import { until } from '../../../testing/until.ts';

const TOPIC = 'arn:aws:sns:eu-north-1:123456789012:faktur';
const HOST = 'https://sns.eu-north-1.amazonaws.com';

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
const fetched: string[] = [];

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp(
    { SMTP_URL: smtp.url, SNS_TOPIC_ARNS: TOPIC },
    {
      // Amazon, played by a certificate of our own.
      fetchText: async (url) => {
        fetched.push(url);
        return url.endsWith('.pem') ? snsCertificate.cert : '<ConfirmSubscriptionResponse/>';
      },
    },
  );
  client = await testApp.login();
  await completeProfile(client);
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

/** A message as Amazon SNS signs it (developer guide, "Verifying the signatures"). */
function signed(fields: Record<string, string>): Record<string, string> {
  const message: Record<string, string> = {
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: TOPIC,
    Timestamp: new Date().toISOString(),
    SignatureVersion: '2',
    SigningCertURL: `${HOST}/SimpleNotificationService-0123.pem`,
    ...fields,
  };
  const names =
    message['Type'] === 'Notification'
      ? ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names.map((name) => `${name}\n${message[name]}\n`).join('');
  const Signature = createSign('RSA-SHA256').update(text).sign(snsCertificate.key, 'base64');
  return { ...message, Signature };
}

/** Posts as SNS does: from nowhere, without a session, JSON under the name of plain text. */
async function post(path: string, message: object): Promise<Answer> {
  return postText(path, JSON.stringify(message), 'text/plain; charset=UTF-8');
}

async function postText(path: string, payload: string, type: string): Promise<Answer> {
  return testApp.visitor().send({
    method: 'POST',
    url: path,
    headers: { 'content-type': type, origin: 'https://amazonaws.com' },
    payload,
  });
}

function bounce(messageId: string, address: string, bounceType = 'Permanent') {
  const bouncedRecipients = [{ emailAddress: address, status: '5.1.1' }];
  return bounceNotice(messageId, { bounceType, bouncedRecipients });
}

/** "Out of office", as Amazon reports it: a bounce to which no report of delivery was attached. */
function automaticAnswer(messageId: string, address: string) {
  const bouncedRecipients = [{ emailAddress: address }];
  return bounceNotice(messageId, {
    bounceType: 'Transient',
    bounceSubType: 'General',
    bouncedRecipients,
  });
}

function bounceNotice(messageId: string, content: object) {
  return signed({
    Type: 'Notification',
    Message: JSON.stringify({
      notificationType: 'Bounce',
      bounce: content,
      mail: {
        messageId: '0102018b-000000',
        headers: [{ name: 'Message-ID', value: messageId }],
      },
    }),
  });
}

function complaint(messageId: string, address: string) {
  return signed({
    Type: 'Notification',
    Message: JSON.stringify({
      notificationType: 'Complaint',
      complaint: { complainedRecipients: [{ emailAddress: address }] },
      mail: { messageId: '0102018b-000001', commonHeaders: { messageId } },
    }),
  });
}

async function sendTo(email: string) {
  const customerNumber = await createCustomer(client, { email });
  const uuid = await createDraft(client, customerNumber, { delivery_type: 'EMAIL' });
  await register(client, uuid);
  return { uuid, customerNumber };
}

async function untilStatus(uuid: string, status: string) {
  return until(
    async () => (await client.get(`/api/invoices/${uuid}/`)).body,
    (invoice) => invoice.delivery_status === status,
  );
}

describe('a bounce', () => {
  // DEL-17, DEL-19, WIRE-21
  it('makes a sent delivery a failed one, and spares the address from then on', async () => {
    const { uuid, customerNumber } = await sendTo('Borte@example.no');
    await untilStatus(uuid, 'SENT');
    const { messageId } = await smtp.waitForMail(({ subject }) => subject.startsWith('Faktura'));
    const before = (await client.get('/api/invoices/')).body.summary.sent;

    const notice = bounce(messageId, 'borte@example.no');
    expect((await post('/api/emails/bounces/', notice)).status).toBe(204);
    const failed = await untilStatus(uuid, 'FAILED');
    expect(failed.deliveries[0].failure_reason).toMatch(/finnes ikke.*5\.1\.1/);
    expect(failed.deliveries[0].sent_time).not.toBeNull();
    expect((await client.get('/api/invoices/')).body.summary.sent).toBe(before - 1);
    expect((await post('/api/emails/bounces/', notice)).status, 'a duplicate').toBe(204);
    const { body: history } = await client.get(`/api/invoices/${uuid}/history/`);
    expect(history.map(({ kind }: { kind: string }) => kind)).toEqual([
      'FAILED',
      'SENT',
      'QUEUED',
      'REGISTERED',
      'CREATED',
    ]);
    expect(history[0]).toMatchObject({
      by: { type: 'SYSTEM', name: 'Faktur' },
      details: {
        recipient: 'borte@example.no',
        reason: failed.deliveries[0].failure_reason,
      },
    });

    const next = await sendTo('borte@example.no');
    const spared = await untilStatus(next.uuid, 'FAILED');
    expect(spared.deliveries[0].failure_reason).toBe('Adressen har avvist e-post tidligere');
    const again = await client.post(`/api/invoices/${uuid}/resend/`);
    expect([again.status, again.body.detail[0].message]).toEqual([
      409,
      'The address has bounced or complained before and gets no more mail',
    ]);

    await client.put(`/api/customers/${customerNumber}/update/`, {
      ...CUSTOMER,
      email: 'riktig@example.no',
    });
    expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
    await untilStatus(uuid, 'SENT');
    expect((await post('/api/emails/bounces/', notice)).status, 'a late duplicate').toBe(204);
    expect((await untilStatus(uuid, 'SENT')).deliveries).toHaveLength(2);
  });

  // DEL-17, DEL-19
  it('that is not for good leaves the address alone', async () => {
    const { uuid } = await sendTo('full@example.no');
    await untilStatus(uuid, 'SENT');
    const mail = await smtp.waitForMail(({ to }) => to.includes('full@example.no'));
    await post('/api/emails/bounces/', bounce(mail.messageId, 'full@example.no', 'Transient'));
    await untilStatus(uuid, 'FAILED');
    expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
    await untilStatus(uuid, 'SENT');
  });
});

it('that is an automatic answer leaves the invoice sent, and its credit note follows', async () => {
  const { uuid } = await sendTo('ferie@example.no');
  await untilStatus(uuid, 'SENT');
  const { messageId } = await smtp.waitForMail(({ to }) => to.includes('ferie@example.no'));
  const notice = automaticAnswer(messageId, 'ferie@example.no');
  expect((await post('/api/emails/bounces/', notice)).status).toBe(204);
  expect((await client.get(`/api/invoices/${uuid}/`)).body.delivery_status).toBe('SENT');
  await client.delete(`/api/invoices/${uuid}/`);
  const { credit_note: note } = (await client.get(`/api/invoices/${uuid}/`)).body;
  await untilStatus(note.uuid, 'SENT');
});

it('of a mail that was sent before Message-IDs named the company finds it all the same', async () => {
  const { uuid } = await sendTo('eldre@example.no');
  await untilStatus(uuid, 'SENT');
  const { messageId } = await smtp.waitForMail(({ to }) => to.includes('eldre@example.no'));
  const before = messageId.replace(/\.[0-9a-f]{16}@/, '@');
  expect(before).not.toBe(messageId);
  await sql`UPDATE delivery SET carrier_key = ${before} WHERE carrier_key = ${messageId}`.execute(
    testApp.context.db,
  );
  expect((await post('/api/emails/bounces/', bounce(before, 'eldre@example.no'))).status).toBe(204);
  await untilStatus(uuid, 'FAILED');
});

describe('a complaint', () => {
  // DEL-17, DEL-19, NEWS-2
  it('ends mail to the address, the newsletter too', async () => {
    const { uuid } = await sendTo('lei@example.no');
    await untilStatus(uuid, 'SENT');
    const mail = await smtp.waitForMail(({ to }) => to.includes('lei@example.no'));
    const notice = complaint(mail.messageId, 'lei@example.no');
    expect((await post('/api/emails/complaints/', notice)).status).toBe(204);
    const [event] = (await client.get(`/api/invoices/${uuid}/history/`)).body;
    expect(event).toMatchObject({ kind: 'FAILED', details: { recipient: 'lei@example.no' } });
    const failed = await untilStatus(uuid, 'FAILED');
    expect(failed.deliveries[0].failure_reason).toContain('søppelpost');

    const visitor = testApp.visitor();
    await visitor.post('/api/newsletter/signup/?email=lei@example.no');
    await visitor.post('/api/newsletter/signup/?email=glad@example.no');
    await smtp.waitForMail(({ to }) => to.includes('glad@example.no'));
    expect(smtp.mails.filter(({ to }) => to.includes('lei@example.no'))).toHaveLength(1);
  });
});

test('what was complained of has arrived: its credit note is not passed over in silence', async () => {
  const { uuid } = await sendTo('sur@example.no');
  await untilStatus(uuid, 'SENT');
  const mail = await smtp.waitForMail(({ to }) => to.includes('sur@example.no'));
  await post('/api/emails/complaints/', complaint(mail.messageId, 'sur@example.no'));
  await untilStatus(uuid, 'FAILED');
  await client.delete(`/api/invoices/${uuid}/`);
  const { credit_note: note } = (await client.get(`/api/invoices/${uuid}/`)).body;
  const failed = await untilStatus(note.uuid, 'FAILED');
  expect(failed.deliveries).toMatchObject([
    { failure_reason: 'Adressen har avvist e-post tidligere', stopped_by: null },
  ]);
});

// DEL-20
describe('a topic', () => {
  it('is subscribed to when it is ours', async () => {
    const SubscribeURL = `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336`;
    const message = { Type: 'SubscriptionConfirmation', Message: '…', Token: '2336', SubscribeURL };
    expect((await post('/api/emails/bounces/', signed(message))).status).toBe(204);
    expect(fetched).toContain(SubscribeURL);
  });

  it.each([
    ['nothing', {}],
    ['no signature', { Type: 'Notification', Message: '{}', TopicArn: TOPIC }],
    ['a changed message', { ...bounce('<a@b.no>', 'kari@example.no'), Message: '{}' }],
    [
      "somebody else's topic",
      { ...bounce('<a@b.no>', 'kari@example.no'), TopicArn: 'arn:aws:sns:eu-north-1:1:theirs' },
    ],
  ])('is not believed with %s', async (_, message) => {
    for (const path of ['/api/emails/bounces/', '/api/emails/complaints/']) {
      expect((await post(path, message)).status).toBe(403);
    }
  });

  it('is not believed without one, whatever comes instead', async () => {
    for (const path of ['/api/emails/bounces/', '/api/emails/complaints/']) {
      expect((await testApp.visitor().post(path)).status).toBe(403);
      for (const text of ['', 'hei', '{', 'null', '[]', '"{}"', '['.repeat(100_000)]) {
        for (const type of ['application/json', 'text/plain']) {
          expect([text.slice(0, 9), (await postText(path, text, type)).status]).toEqual([
            text.slice(0, 9),
            403,
          ]);
        }
      }
    }
  });
});
