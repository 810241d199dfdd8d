import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  register,
} from '../testing/factories.ts';
import { RECEIVER, startEhfWorld, type EhfWorld } from '../testing/peppol/ehf-world.ts';
import type { FakePhossAp } from '../testing/peppol/fake-phoss-ap.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { requeueFailed } from './delivery-by-hand.service.ts';

const BY_EMAIL = { delivery_type: 'EMAIL' };
let addresses = 0;

async function deliver(client: TestClient, uuid: string, body: object = BY_EMAIL) {
  return client.post(`/api/invoices/${uuid}/deliveries/`, body);
}

async function untilStatus(client: TestClient, uuid: string, status: string) {
  return until(
    async () => (await client.get(`/api/invoices/${uuid}/`)).body,
    (invoice) => invoice.delivery_status === status,
  );
}

async function historyOf(client: TestClient, uuid: string) {
  const { body } = await client.get(`/api/invoices/${uuid}/history/`);
  return body as unknown as { kind: string; by: object; details: object }[];
}

describe('without any feature', () => {
  let smtp: MailServer;
  let testApp: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    smtp = await startMailServer();
    testApp = await startTestApp({ SMTP_URL: smtp.url });
    client = await testApp.login('eier@example.no');
    await completeProfile(client);
    smtp.faults.refuseRecipient = (address) =>
      address.startsWith('borte') ? { code: 550, text: '5.1.1 No such user' } : null;
  });
  afterAll(async () => {
    await testApp.close();
    await smtp.close();
  });

  /** A registered invoice that is not sent by itself, to a customer with an address of its own. */
  async function invoiceOf(changes: object = {}) {
    const email = `hand${++addresses}@example.no`;
    const customerNumber = await createCustomer(client, { email, ...changes });
    const uuid = await createDraft(client, customerNumber);
    const number = await register(client, uuid);
    return { uuid, email, customerNumber, number };
  }

  function subjectsTo(email: string) {
    return smtp.mails.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
  }

  // DEL-22
  test('an invoice made to be sent by nobody is sent to its customer, and is told of', async () => {
    const { uuid, email, number } = await invoiceOf();
    const answer = await deliver(client, uuid);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      uuid: expect.any(String),
      delivery_type: 'EMAIL',
      status: 'QUEUED',
      recipient: email,
      recipients: [{ address: email, status: 'QUEUED', reason: null }],
      sent_time: null,
      failure_reason: null,
      waiting_reason: null,
      deferred_until: null,
      unconfirmed: false,
      unreached: [],
      stopped_by: null,
    });
    const invoice = await untilStatus(client, uuid, 'SENT');
    expect(invoice).toMatchObject({
      delivery_type: 'NONE',
      status: 'REGISTERED',
      deliveries: [{ uuid: answer.body.uuid }],
    });
    expect(subjectsTo(email)).toEqual([`Faktura ${number} fra Snekker Andersen AS`]);
    expect((await historyOf(client, uuid)).slice(0, 2)).toMatchObject([
      { kind: 'SENT', by: { type: 'SYSTEM' } },
      {
        kind: 'QUEUED',
        by: { type: 'ACCOUNT', name: 'eier@example.no' },
        details: { delivery_type: 'EMAIL', recipient: email },
      },
    ]);
  });

  // DEL-9
  test('it goes to an address that is typed, and without any the carrier says so', async () => {
    const { uuid } = await invoiceOf({ email: null });
    const refused = await deliver(client, uuid);
    expect(refused.status).toBe(409);
    expect(refused.body.detail[0].message).toBe('The customer has no e-mail address');
    const typed = { ...BY_EMAIL, recipient: ' Typed@Example.no ' };
    expect((await deliver(client, uuid, typed)).body.recipient).toBe('typed@example.no');
    await untilStatus(client, uuid, 'SENT');
    expect(subjectsTo('typed@example.no')).toHaveLength(1);
    await client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = (await client.get(`/api/invoices/${uuid}/`)).body;
    // A credit note goes as its invoice went, and where.
    expect(await untilStatus(client, note.uuid, 'SENT')).toMatchObject({ delivery_type: 'EMAIL' });
    expect(subjectsTo('typed@example.no')[1]).toMatch(/^Kreditnota/);
  });

  // DEL-1, DEL-9
  test('what is sent or paid is sent again, at most five times an hour', async () => {
    const { uuid, email } = await invoiceOf();
    for (let times = 1; times <= 5; times += 1) {
      if (times === 3) await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
      expect((await deliver(client, uuid)).status).toBe(201);
      await untilStatus(client, uuid, 'SENT');
      expect(subjectsTo(email)).toHaveLength(times);
      const mail = smtp.mails.findLast(({ to }) => to.includes(email));
      if (!mail) throw new Error('Nothing was mailed');
      expect((await readMail(mail)).text).toContain(times < 3 ? 'Å betale:' : 'Ingenting å betale');
    }
    const answer = await deliver(client, uuid);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3000);
    const other = await invoiceOf();
    expect((await deliver(client, other.uuid)).status).toBe(201);
  });

  // DEL-21
  test("'Send på nytt' counts among the five", async () => {
    const { uuid } = await invoiceOf();
    await deliver(client, uuid);
    for (let times = 2; times <= 6; times += 1) {
      const { deliveries } = await untilStatus(client, uuid, 'SENT');
      await sql`UPDATE delivery SET status = 'FAILED', failure_reason = 'Kom i retur'
        WHERE uuid = ${deliveries.at(-1).uuid}`.execute(testApp.context.db);
      const answer = await client.post(`/api/invoices/${uuid}/resend/`);
      expect(answer.status).toBe(times === 6 ? 429 : 200);
    }
  });

  test('what comes back of an earlier delivery leaves what the latest one says', async () => {
    const { uuid } = await invoiceOf();
    await deliver(client, uuid);
    const { deliveries } = await untilStatus(client, uuid, 'SENT');
    await deliver(client, uuid);
    await untilStatus(client, uuid, 'SENT');
    const { db } = testApp.context;
    const fail = async (id: string) =>
      sql`UPDATE delivery SET status = 'FAILED', failure_reason = 'Kom i retur' WHERE uuid = ${id}`.execute(
        db,
      );
    await fail(deliveries[0].uuid);
    const later = await untilStatus(client, uuid, 'SENT');
    expect(later.deliveries).toMatchObject([{ status: 'FAILED' }, { status: 'SENT' }]);
    await fail(later.deliveries[1].uuid);
    await untilStatus(client, uuid, 'FAILED');
  });

  test('what failed by hand is sent again by the same carrier', async () => {
    const { uuid, customerNumber } = await invoiceOf({ email: `borte${++addresses}@example.no` });
    await deliver(client, uuid);
    await untilStatus(client, uuid, 'FAILED');
    const email = `rettet${++addresses}@example.no`;
    await client.put(`/api/customers/${customerNumber}/update/`, { ...CUSTOMER, email });
    expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
    await untilStatus(client, uuid, 'SENT');
    expect(subjectsTo(email)).toHaveLength(1);
  });

  test('an operator has sent again what failed after it was sent before', async () => {
    const { uuid, customerNumber } = await invoiceOf();
    await deliver(client, uuid);
    await untilStatus(client, uuid, 'SENT');
    const recipient = `borte${++addresses}@example.no`;
    await deliver(client, uuid, { ...BY_EMAIL, recipient });
    await untilStatus(client, uuid, 'FAILED');
    const email = `siden${++addresses}@example.no`;
    await client.put(`/api/customers/${customerNumber}/update/`, { ...CUSTOMER, email });
    const { requeued, left } = await requeueFailed(testApp.context, { since: null, reason: '' });
    expect([...left]).toEqual([]);
    expect(requeued).toBeGreaterThan(0);
    const { deliveries } = (await client.get(`/api/invoices/${uuid}/`)).body;
    expect(deliveries.at(-1)).toMatchObject({ delivery_type: 'EMAIL', recipient: email });
  });

  // DEL-1
  test('one that is under way is the only one', async () => {
    const { uuid, email } = await invoiceOf();
    smtp.faults.acceptDelay = 300;
    const answers = await Promise.all([1, 2, 3].map(async () => deliver(client, uuid)));
    smtp.faults.acceptDelay = 0;
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409,
    ]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.detail[0].message).toBe('A delivery of the invoice is under way');
    await untilStatus(client, uuid, 'SENT');
    expect(subjectsTo(email)).toHaveLength(1);
  });

  // DEL-9
  test('drafts, what is cancelled, what nothing is sent as, and what is not theirs are refused', async () => {
    const { uuid, customerNumber } = await invoiceOf();
    const draft = await createDraft(client, customerNumber);
    expect(await deliver(client, draft)).toMatchObject({
      status: 409,
      body: { detail: [{ message: 'A draft is not sent; register the invoice first' }] },
    });
    expect(await deliver(client, uuid, { delivery_type: 'EHF' })).toMatchObject({
      status: 409,
      body: { detail: [{ message: expect.stringContaining('Delivery by EHF needs') }] },
    });
    expect((await deliver(client, uuid, { delivery_type: 'NONE' })).status).toBe(400);
    const toWhom = { delivery_type: 'EHF', recipient: 'a@example.no' };
    expect(await deliver(client, uuid, toWhom)).toMatchObject({
      status: 400,
      body: { detail: [{ field: 'recipient', message: 'recipient is for e-mail only' }] },
    });
    await client.delete(`/api/invoices/${uuid}/`);
    expect((await deliver(client, uuid)).status).toBe(409);
    const stranger = await testApp.login();
    expect((await deliver(stranger, draft)).status).toBe(404);
    expect((await deliver(testApp.visitor(), draft)).status).toBe(401);
  });

  test('a credit note of what was sent by nobody stays unsent, and goes when it is asked for', async () => {
    const { uuid, email } = await invoiceOf();
    await client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = (await client.get(`/api/invoices/${uuid}/`)).body;
    expect((await deliver(client, note.uuid)).status).toBe(201);
    await untilStatus(client, note.uuid, 'SENT');
    expect(subjectsTo(email)).toHaveLength(1);
  });

  async function deliveryOfNote(uuid: string) {
    await client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = (await client.get(`/api/invoices/${uuid}/`)).body;
    const { deliveries } = await untilStatus(client, note.uuid, 'SENT');
    return deliveries;
  }

  // DEL-7
  test('its credit note goes to the address that was corrected', async () => {
    const { uuid, email } = await invoiceOf();
    await deliver(client, uuid);
    await untilStatus(client, uuid, 'SENT');
    await deliver(client, uuid, { ...BY_EMAIL, recipient: 'rettet@example.no' });
    await untilStatus(client, uuid, 'SENT');
    expect(await deliveryOfNote(uuid)).toMatchObject([{ recipient: 'rettet@example.no' }]);
    expect(subjectsTo(email)).toHaveLength(1);
  });

  // DEL-7
  test('its credit note goes where it arrived, not where it was refused after that', async () => {
    const { uuid, email } = await invoiceOf();
    await deliver(client, uuid);
    await untilStatus(client, uuid, 'SENT');
    await deliver(client, uuid, { ...BY_EMAIL, recipient: 'borte@example.no' });
    await untilStatus(client, uuid, 'FAILED');
    expect(await deliveryOfNote(uuid)).toMatchObject([{ recipient: email }]);
  });
});

describe('with EHF', () => {
  let world: EhfWorld<FakePhossAp>;

  beforeAll(async () => {
    world = await startEhfWorld('phoss-ap');
  });
  afterAll(async () => world.close());

  // EHF-18, INV-28
  test('what failed as EHF goes by e-mail, and its credit note after it', async () => {
    const { client, point, smtp } = world;
    point.outcomes.set(RECEIVER, 'not-registered');
    const uuid = await world.draft();
    await register(client, uuid);
    await untilStatus(client, uuid, 'FAILED');
    point.outcomes.clear();
    expect((await deliver(client, uuid)).status).toBe(201);
    const sent = await untilStatus(client, uuid, 'SENT');
    expect(sent).toMatchObject({
      delivery_type: 'EHF',
      deliveries: [
        { delivery_type: 'EHF', status: 'FAILED', recipient: RECEIVER },
        { delivery_type: 'EMAIL', status: 'SENT', recipient: 'kunde@example.no' },
      ],
    });
    await client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = await world.invoice(uuid);
    const { deliveries } = await untilStatus(client, note.uuid, 'SENT');
    expect(deliveries).toMatchObject([{ delivery_type: 'EMAIL', recipient: 'kunde@example.no' }]);
    // The company may be told of the failure by then.
    const toBuyer = smtp.mails.filter(({ to }) => to.includes('kunde@example.no'));
    expect(toBuyer.map(({ subject }) => subject.split(' ')[0])).toEqual(['Faktura', 'Kreditnota']);
    expect(point.transmissions).toEqual([]);
  });

  // EHF-18
  test('what was mailed goes as EHF too when that is asked for, and its credit note as EHF', async () => {
    const { client, point } = world;
    const uuid = await world.draft(RECEIVER, { delivery_type: 'EMAIL' });
    await register(client, uuid);
    await untilStatus(client, uuid, 'SENT');
    const answer = await deliver(client, uuid, { delivery_type: 'EHF' });
    expect(answer).toMatchObject({ status: 201, body: { recipient: RECEIVER } });
    await untilStatus(client, uuid, 'SENT');
    expect(point.transmissions.map(({ key }) => key)).toEqual([answer.body.uuid]);
    // A copy of it by e-mail changes nothing: the buyer has it as EHF.
    await deliver(client, uuid, { ...BY_EMAIL, recipient: 'regnskap@example.no' });
    await untilStatus(client, uuid, 'SENT');
    await client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = await world.invoice(uuid);
    const { deliveries } = await untilStatus(client, note.uuid, 'SENT');
    expect(deliveries).toMatchObject([{ delivery_type: 'EHF', recipient: RECEIVER }]);
  });
});
