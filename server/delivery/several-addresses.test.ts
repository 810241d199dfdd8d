import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import type { TestClient } from '../testing/client.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { requeueForgotten } from './delivery-housekeeping.service.ts';
import { recordAddressReturned } from './delivery-record.service.ts';
import { suppress } from '../platform/mail/refusals.ts';

// One mail to several addresses of a customer (DEL-23).

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let round = 0;
let emails: string[];

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: smtp.url, SMTP_TIMEOUT_SECONDS: '5' });
  client = await testApp.login();
  await completeProfile(client);
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
beforeEach(() => {
  round += 1;
  emails = ['en', 'to', 'tre'].map((name) => `${name}${round}@example.no`);
});
afterEach(() => {
  smtp.faults.refuseRecipient = null;
});

/** Registers an invoice to a new customer with these addresses, and waits until its delivery is over. */
async function send(status: string) {
  const customer = await createCustomer(client, { invoice_emails: emails });
  const uuid = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  const number = await register(client, uuid);
  return { uuid, number, invoice: await over(uuid, status) };
}

async function over(uuid: string, status: string) {
  return until(
    async () => (await client.get(`/api/invoices/${uuid}/`)).body,
    (invoice) => invoice.delivery_status === status,
  );
}

const mailsOf = (number: number) =>
  smtp.mails.filter(({ subject }) => subject.includes(`Faktura ${number} `));

async function historyOf(uuid: string) {
  const { body } = await client.get(`/api/invoices/${uuid}/history/`);
  return body as { kind: string; details: object }[];
}

function refuse(addresses: readonly string[]) {
  smtp.faults.refuseRecipient = (address) =>
    addresses.includes(address) ? { code: 550, text: '5.1.1 No such user' } : null;
}

const GREYLISTED = { code: 451, text: '4.7.1 Greylisting in action, try again later' };
const GREYLISTED_REASON = 'Mottakerens e-posttjener tok ikke imot e-posten nå (451 4.7.1).';

/** The list's filter 'Feilet', as uuids. */
async function listFailed(): Promise<string[]> {
  const { body } = await client.get('/api/invoices/?status=FAILED');
  expect(body.summary.failed).toBe(body.results.length);
  return body.results.map(({ uuid }: { uuid: string }) => uuid);
}

const sentTo = (...addresses: string[]) =>
  addresses.map((address) => ({ address, status: 'SENT', reason: null }));

/** Records that the delivery of an invoice came back from one of its addresses. */
async function returnFrom(uuid: string, address: string): Promise<void> {
  const { db } = testApp.context;
  const delivery = await db
    .selectFrom('delivery')
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.companyId', '=', 'delivery.companyId')
        .onRef('invoice.id', '=', 'delivery.invoiceId'),
    )
    .select(['delivery.id', 'delivery.companyId'])
    .where('invoice.uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  const refused = { address, reason: 'Postkassen er full' };
  await db.transaction().execute(async (trx) => recordAddressReturned(trx, delivery, refused));
}

test('all get one mail, the first as recipient and the others as copies', async () => {
  const { uuid, number, invoice } = await send('SENT');
  expect(invoice.deliveries).toMatchObject([
    { status: 'SENT', recipient: emails[0], recipients: sentTo(...emails) },
  ]);
  const mails = mailsOf(number);
  expect(mails.map(({ to }) => to)).toEqual([emails]);
  const mail = await readMail(mails[0]?.raw ?? Buffer.of());
  expect(mail.to?.map(({ address }) => address)).toEqual([emails[0]]);
  expect(mail.cc?.map(({ address }) => address)).toEqual(emails.slice(1));
  const details = { deliveryType: 'EMAIL', recipient: emails[0], copies: emails.slice(1) };
  expect(await historyOf(uuid)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'SENT',
        details: { delivery_type: 'EMAIL', recipient: details.recipient, copies: details.copies },
      }),
    ]),
  );

  // The credit note goes where its invoice arrived.
  await client.delete(`/api/invoices/${uuid}/`);
  const note = await smtp.waitForMail(({ subject }) =>
    subject.includes(`Kreditnota ${number + 1}`),
  );
  expect(note.to).toEqual(emails);
});

test('one that the server refuses does not keep the others from it, and nobody gets it twice', async () => {
  const [first = '', second = '', third = ''] = emails;
  refuse([first]);
  const { uuid, number, invoice } = await send('SENT');
  expect(invoice.deliveries).toMatchObject([
    {
      status: 'SENT',
      failure_reason: null,
      recipients: [
        {
          address: first,
          status: 'FAILED',
          reason: 'E-postadressen finnes ikke hos mottakerens e-posttjener (550 5.1.1).',
        },
        ...sentTo(second, third),
      ],
    },
  ]);
  expect(mailsOf(number).map(({ to }) => to)).toEqual([[second, third]]);
  expect(await historyOf(uuid)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'FAILED',
        details: expect.objectContaining({ recipient: first }),
      }),
    ]),
  );
  // A typed address is the only one.
  smtp.faults.refuseRecipient = null;
  const typed = `ny${round}@example.no`;
  const body = { delivery_type: 'EMAIL', recipient: typed };
  expect(await client.post(`/api/invoices/${uuid}/deliveries/`, body)).toMatchObject({
    status: 201,
    body: { recipients: [{ address: typed }] },
  });
  await smtp.waitForMail(({ to }) => to.includes(typed));
  expect(mailsOf(number).map(({ to }) => to)).toEqual([[second, third], [typed]]);
});

test('it has failed when the server refuses all, and can be sent again to all', async () => {
  refuse(emails);
  const { uuid, number, invoice } = await send('FAILED');
  expect(invoice.deliveries).toMatchObject([
    { status: 'FAILED', recipients: emails.map((address) => ({ address, status: 'FAILED' })) },
  ]);
  expect(mailsOf(number)).toEqual([]);
  smtp.faults.refuseRecipient = null;
  expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
  await over(uuid, 'SENT');
  expect(mailsOf(number).map(({ to }) => to)).toEqual([emails]);
});

test('an address that refused mail before is left out, and all of them are a reason', async () => {
  const [first = '', second = '', third = ''] = emails;
  const { db } = testApp.context;
  await suppress(db, second, 'BOUNCE');
  const { number, invoice } = await send('SENT');
  expect(mailsOf(number).map(({ to }) => to)).toEqual([[first, third]]);
  expect(invoice.deliveries[0].recipients).toMatchObject([
    { status: 'SENT' },
    { status: 'FAILED', reason: 'Adressen har avvist e-post tidligere' },
    { status: 'SENT' },
  ]);
  await suppress(db, first, 'BOUNCE');
  await suppress(db, third, 'BOUNCE');
  const { number: next } = await send('FAILED');
  expect(mailsOf(next)).toEqual([]);
});

test('a bounce is shown at its address, and the delivery fails with the last one', async () => {
  const { uuid, number } = await send('SENT');
  const comeBack = async (address = '') => returnFrom(uuid, address);
  // The same notice may come twice.
  await comeBack(emails[1]);
  await comeBack(emails[1]);
  expect((await client.get(`/api/invoices/${number}/`)).body).toMatchObject({
    delivery_status: 'SENT',
    deliveries: [
      {
        status: 'SENT',
        recipients: [
          { status: 'SENT' },
          { status: 'FAILED', reason: 'Postkassen er full' },
          { status: 'SENT' },
        ],
      },
    ],
  });
  await comeBack(emails[0]);
  await comeBack(emails[2]);
  expect((await client.get(`/api/invoices/${number}/`)).body).toMatchObject({
    delivery_status: 'FAILED',
    deliveries: [{ status: 'FAILED', recipients: [{}, {}, {}].map(() => ({ status: 'FAILED' })) }],
  });
});

test('a bounce that comes before the mail is recorded as sent is kept', async () => {
  const [first = '', second = ''] = emails;
  refuse([first]);
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  smtp.faults.acceptDelay = async () => {
    arrived.resolve();
    return released.promise;
  };
  const customer = await createCustomer(client, { invoice_emails: emails });
  const uuid = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  await register(client, uuid);
  await arrived.promise;
  await returnFrom(uuid, second);
  smtp.faults.acceptDelay = 0;
  released.resolve();
  expect((await over(uuid, 'SENT')).deliveries[0].recipients).toMatchObject([
    { address: first, status: 'FAILED' },
    { address: second, status: 'FAILED', reason: 'Postkassen er full' },
    { status: 'SENT' },
  ]);
});

test('one that is greylisted is tried again by itself, and nobody gets it twice', async () => {
  const [first = '', second = '', third = ''] = emails;
  smtp.faults.refuseRecipient = (address) => (address === second ? GREYLISTED : null);
  const { uuid, number, invoice } = await send('SENT');
  expect(invoice.deliveries).toMatchObject([
    {
      status: 'SENT',
      recipients: [
        { address: first, status: 'SENT', reason: null },
        { address: second, status: 'QUEUED', reason: GREYLISTED_REASON },
        { address: third, status: 'SENT', reason: null },
      ],
      unreached: [],
    },
  ]);
  expect(await listFailed()).not.toContain(uuid);
  // One delivery is under way at a time, also to one address.
  const body = { delivery_type: 'EMAIL' };
  expect((await client.post(`/api/invoices/${uuid}/deliveries/`, body)).status).toBe(409);
  smtp.faults.refuseRecipient = null;
  await smtp.waitForMail(({ to }) => to.includes(second));
  const after = await until(
    async () => (await client.get(`/api/invoices/${uuid}/`)).body,
    ({ deliveries: [{ recipients }] }) => recipients[1].status === 'SENT',
  );
  expect(after.deliveries).toMatchObject([{ status: 'SENT', recipients: sentTo(...emails) }]);
  const mails = mailsOf(number);
  expect(mails.map(({ to }) => to)).toEqual([[first, third], [second]]);
  const ids = await Promise.all(mails.map(async ({ raw }) => (await readMail(raw)).messageId));
  expect(new Set(ids).size).toBe(1);
  const sent = (await historyOf(uuid)).filter(({ kind }) => kind === 'SENT');
  expect(sent.map(({ details }) => details)).toEqual([
    { delivery_type: 'EMAIL', recipient: second },
    { delivery_type: 'EMAIL', recipient: first, copies: [third] },
  ]);
});

test('a credit note waits for the address that its invoice is tried at again', async () => {
  const [first = '', second = '', third = ''] = emails;
  smtp.faults.refuseRecipient = (address) => (address === second ? GREYLISTED : null);
  const { uuid, number } = await send('SENT');
  await client.delete(`/api/invoices/${uuid}/`);
  smtp.faults.refuseRecipient = null;
  const note = await smtp.waitForMail(({ subject }) =>
    subject.includes(`Kreditnota ${number + 1}`),
  );
  expect(note.to).toEqual(emails);
  expect(mailsOf(number).map(({ to }) => to)).toEqual([[first, third], [second]]);
  const subjects = smtp.mails.filter(({ to }) => to.includes(second)).map(({ subject }) => subject);
  expect(subjects).toEqual([
    expect.stringContaining('Faktura'),
    expect.stringContaining('Kreditnota'),
  ]);
});

test('all refused, some for the moment: those are tried again, and the others have failed', async () => {
  const [first = '', second = '', third = ''] = emails;
  smtp.faults.refuseRecipient = (address) =>
    address === third ? GREYLISTED : { code: 550, text: '5.1.1 No such user' };
  const customer = await createCustomer(client, { invoice_emails: emails });
  const uuid = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  const number = await register(client, uuid);
  const waiting = await until(
    async () => (await client.get(`/api/invoices/${uuid}/`)).body,
    ({ deliveries: [one] }) => one?.recipients[0].status === 'FAILED',
  );
  expect(waiting.deliveries).toMatchObject([
    {
      status: 'QUEUED',
      recipients: [{ status: 'FAILED' }, { status: 'FAILED' }, { status: 'QUEUED' }],
      unreached: [first, second],
    },
  ]);
  smtp.faults.refuseRecipient = null;
  expect((await over(uuid, 'SENT')).deliveries).toMatchObject([
    { recipients: [{ status: 'FAILED' }, { status: 'FAILED' }, { status: 'SENT' }] },
  ]);
  expect(mailsOf(number).map(({ to }) => to)).toEqual([[third]]);
});

// DEL-25, INV-30
test('the list finds it until each address that failed was put right', async () => {
  const [first = '', second = '', third = ''] = emails;
  refuse([first, second]);
  const { uuid, number } = await send('SENT');
  expect(await listFailed()).toContain(uuid);
  const { sent, sent_from, sent_to } = (await client.get('/api/invoices/')).body.summary;
  expect([sent > 0, sent_from, sent_to]).toEqual([true, todayInOslo(), todayInOslo()]);
  // A typed address stands for one of them.
  const typed = `riktig${round}@example.no`;
  const deliver = async (recipient: string) =>
    client.post(`/api/invoices/${uuid}/deliveries/`, { delivery_type: 'EMAIL', recipient });
  expect((await deliver(typed)).status).toBe(201);
  await smtp.waitForMail(({ to }) => to.includes(typed));
  const settled = await until(
    async () => (await client.get(`/api/invoices/${uuid}/`)).body,
    ({ deliveries }) => deliveries.at(-1).status === 'SENT',
  );
  expect(settled.deliveries.at(-1)).toMatchObject({ unreached: [second] });
  expect(await listFailed()).toContain(uuid);
  // 'Send på nytt' goes to the one that has not got it, and fails there again.
  expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
  const again = await until(
    async () => (await client.get(`/api/invoices/${uuid}/`)).body,
    ({ deliveries }) =>
      deliveries.at(-1).recipients.some(({ status }: { status: string }) => status === 'FAILED'),
  );
  expect(again).toMatchObject({ delivery_status: 'SENT' });
  expect(await listFailed()).toContain(uuid);
  smtp.faults.refuseRecipient = null;
  await client.post(`/api/invoices/${uuid}/resend/`);
  await smtp.waitForMail(
    ({ to, subject }) => to.includes(second) && subject.includes(`${number} `),
  );
  await until(listFailed, (failed) => !failed.includes(uuid));
  expect(mailsOf(number).map(({ to }) => to)).toEqual([[third], [typed], [second]]);
  expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(409);
});

// DEL-25
test("an address that is the customer's no more is put right without a mail", async () => {
  const [first = '', second = '', third = ''] = emails;
  refuse([first]);
  const customer = await createCustomer(client, { invoice_emails: emails });
  const uuid = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  const number = await register(client, uuid);
  await over(uuid, 'SENT');
  const { body } = await client.get(`/api/customers/${customer}/`);
  const changed = { ...body, invoice_emails: [second, third] };
  const saved = await client.put(`/api/customers/${customer}/update/`, changed);
  expect(saved.status).toBe(200);
  expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
  expect(await listFailed()).not.toContain(uuid);
  expect(mailsOf(number).map(({ to }) => to)).toEqual([[second, third]]);
});

test('housekeeping finds an address whose job was lost', async () => {
  const [, second = ''] = emails;
  const { db } = testApp.context;
  smtp.faults.refuseRecipient = (address) => (address === second ? GREYLISTED : null);
  const { number } = await send('SENT');
  await sql`UPDATE delivery SET created_at = now() - interval '1 hour'`.execute(db);
  await sql`DELETE FROM jobs.job WHERE name = 'deliver'`.execute(db);
  smtp.faults.refuseRecipient = null;
  await requeueForgotten(testApp.context);
  await smtp.waitForMail(
    ({ to, subject }) => to.includes(second) && subject.includes(`${number} `),
  );
  expect(mailsOf(number)).toHaveLength(2);
});
