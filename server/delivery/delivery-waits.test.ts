import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { startMailServer, type MailServer, type SmtpReply } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
const lines: string[] = [];

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp(
    { SMTP_URL: smtp.url, SMTP_CONNECTIONS: '2', LOG_LEVEL: 'warn', METRICS_TOKEN: 'hemmelig' },
    { logStream: { write: (line) => void lines.push(line) } },
  );
  client = await testApp.login();
  await completeProfile(client);
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

afterEach(() => {
  Object.assign(smtp.faults, {
    acceptDelay: 0,
    refuseSender: null,
    refuseRecipient: null,
    refuseMail: null,
  });
});

async function sendInvoice(email: string): Promise<string> {
  const customer = await createCustomer(client, { email });
  const uuid = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  await register(client, uuid);
  return uuid;
}

async function untilDelivery(uuid: string, fits: (delivery: Record<string, unknown>) => boolean) {
  return until(
    async () =>
      (await client.get(`/api/invoices/${uuid}/`)).body.deliveries[0] as
        | Record<string, unknown>
        | undefined,
    (delivery) => delivery !== undefined && fits(delivery),
  );
}

async function pretendTried(uuid: string, tries: { attempts: number; excusedAttempts: number }) {
  const { db } = testApp.context;
  const invoice = db.selectFrom('invoice').select('id').where('uuid', '=', uuid);
  await db.updateTable('delivery').set(tries).where('invoiceId', '=', invoice).execute();
}

describe('a mail server that refuses us, and not the mail,', () => {
  const ADDRESS = 'kari@example.no';
  const SENDER = { code: 550, text: '5.7.1 Sender not authorised' };

  const isUrgent = ({ level }: Record<string, unknown>) => level === 50;

  async function expectToGoWhenMended(reason: RegExp): Promise<void> {
    const uuid = await sendInvoice(ADDRESS);
    const waiting = await untilDelivery(uuid, (delivery) => delivery['waiting_reason'] !== null);
    expect(waiting).toMatchObject({ status: 'QUEUED', failure_reason: null });
    expect(waiting?.['waiting_reason']).toMatch(reason);
    // As after many days.
    await pretendTried(uuid, { attempts: 200, excusedAttempts: 199 });
    await untilDelivery(uuid, (delivery) => delivery['waiting_reason'] !== null);
    Object.assign(smtp.faults, { refuseSender: null, refuseRecipient: null, refuseMail: null });
    expect(await untilDelivery(uuid, ({ status }) => status === 'SENT')).toMatchObject({
      waiting_reason: null,
    });
  }

  test('at MAIL FROM, fails no invoice', async () => {
    smtp.faults.refuseSender = SENDER;
    await expectToGoWhenMended(/avsenderens adresse \(550 5\.7\.1\)/);
  });

  test.each<[string, SmtpReply]>([
    ['relaying', { code: 554, text: '5.7.1 Relay access denied' }],
    ['a quota', { code: 550, text: '5.4.5 Daily sending quota exceeded' }],
  ])('at RCPT TO for %s, fails no invoice', async (_, reply) => {
    smtp.faults.refuseRecipient = () => reply;
    await expectToGoWhenMended(/avviste mottakerens adresse \(55[04] 5\.[47]/);
  });

  test('after the mail, fails no invoice', async () => {
    smtp.faults.refuseMail = { code: 554, text: 'Message rejected: Email address is not verified' };
    await expectToGoWhenMended(/avviste e-posten \(554\)/);
  });

  test('is told of in the log and the metrics', async () => {
    lines.length = 0;
    smtp.faults.refuseSender = SENDER;
    for (let each = 0; each < 3; each += 1) await sendInvoice(ADDRESS);
    const line = await until(
      () => lines.map((text) => JSON.parse(text) as Record<string, unknown>).find(isUrgent),
      (found) => found !== undefined,
    );
    expect(line).toMatchObject({
      level: 50,
      msg: expect.stringMatching(/check SMTP_URL, MAIL_FROM/),
      reason: expect.stringContaining('Sender not authorised'),
    });
    const headers = { authorization: 'Bearer hemmelig' };
    const metrics = await testApp.visitor().send({ method: 'GET', url: '/metrics', headers });
    expect(metrics.text).toMatch(
      /^faktur_mail_duration_seconds_count\{outcome="misconfigured"\} [1-9]/m,
    );
  });

  test('is told of without the address that the server names', async () => {
    lines.length = 0;
    smtp.faults.refuseRecipient = (address) => ({
      code: 554,
      text: `5.7.1 <${address}>: Relay access denied`,
    });
    await sendInvoice(ADDRESS);
    const line = await until(
      () => lines.find((text) => text.includes('Relay access denied')),
      (found) => found !== undefined,
    );
    expect(JSON.parse(line ?? '')).toMatchObject({
      reason: expect.stringContaining('<…@…>: Relay access denied'),
    });
    expect(lines.join('')).not.toContain(ADDRESS);
  });

  test('does so for two weeks before an invoice fails', async () => {
    smtp.faults.refuseSender = SENDER;
    const uuid = await sendInvoice(ADDRESS);
    await untilDelivery(uuid, (delivery) => delivery['waiting_reason'] !== null);
    await pretendTried(uuid, { attempts: 340, excusedAttempts: 14 * 24 });
    const failed = await untilDelivery(uuid, ({ status }) => status === 'FAILED');
    expect(failed?.['failure_reason']).toContain('avsenderens adresse (550 5.7.1)');
  });
});

// DEL-13
test('a mail server that hangs on invoices delays no login code', async () => {
  let hanging = 0;
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  smtp.faults.acceptDelay = ({ subject }) => {
    if (!subject.startsWith('Faktura')) return 0;
    hanging += 1;
    return promise;
  };
  for (let i = 0; i < 4; i += 1) await sendInvoice(`hang${i}@example.no`);
  await until(
    () => hanging,
    (many) => many === 2,
  );
  await testApp.visitor().post('/api/users/login/email/', { email: 'ola@example.no' });
  await testApp.visitor().post('/api/newsletter/signup/?email=leser@example.no');
  await smtp.waitForMail(({ to }) => to.includes('ola@example.no'));
  await smtp.waitForMail(({ to }) => to.includes('leser@example.no'));
  expect(smtp.mails.some(({ to }) => to[0]?.startsWith('hang'))).toBe(false);
  goOn();
});
