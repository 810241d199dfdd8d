import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { suppress } from '../platform/mail/refusals.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import {
  addBankFile,
  addHalfBooked,
  lateInvoice,
  lateInvoices,
  registeredInTime,
  saveReminderSettings,
} from '../testing/late-invoices.ts';
import { addBankPayment } from '../testing/payments.ts';
import { until } from '../testing/until.ts';

const clock = vi.hoisted(() => ({ now: new Date() }));

// Only the tests' clock is set to another day; jobs and sessions use the real one.
vi.mock(import('../../domain/date.ts'), async (importOriginal) => {
  const actual = await importOriginal();
  return { ...actual, todayInOslo: (now = clock.now) => actual.todayInOslo(now) };
});

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'reminders,payments' });
});
afterAll(async () => testApp.close());

// A Thursday, in a half-year whose rates are built in.
const NOW = new Date('2026-09-03T10:00:00Z');
const TODAY = '2026-09-03';

let client: TestClient;
let companyId: number;

beforeEach(async () => {
  clock.now = NOW;
  const email = `kreditor${crypto.randomUUID()}@example.no`;
  client = await testApp.login(email);
  await completeProfile(client);
  companyId = await companyIdOf(testApp.context.db, email);
});

const late = async (invoice?: Parameters<typeof lateInvoice>[2]) =>
  lateInvoice(testApp.context.db, client, invoice);
const saveSettings = async (change: object) => saveReminderSettings(client, change);

async function proposals(query = '') {
  const answer = await client.get(`/api/reminders/proposals/${query}`);
  expect(answer.status).toBe(200);
  return answer.body as Record<string, unknown>[];
}

/** Moves the sending of the invoice's last reminder to another day. */
async function leftOn(invoiceUuid: string, day: string): Promise<void> {
  const last = async () =>
    (await client.get(`/api/invoices/${invoiceUuid}/reminders/`)).body.at(-1);
  await until(last, ({ delivery_status: status }) => status === 'SENT');
  await sql`
    UPDATE delivery SET sent_time = ${day}::date + time '12:00'
    WHERE company_id = ${companyId} AND reminder_principal IS NOT NULL`.execute(testApp.context.db);
}

test('an amount that is too large waits, and other proposals are still listed', async () => {
  await saveSettings({ steps: [{ days: 1, kind: 'REMINDER', fee: false, interest: true }] });
  const [large, other] = [await late({ kroner: 90_071_992_547_409.91 }), await late()];
  const found = await proposals();
  const byInvoice = new Map(found.map((one) => [one['invoice_uuid'], one]));
  expect(byInvoice.get(large)).toMatchObject({ waits_for: 'TOO_LARGE', amount: null });
  expect(byInvoice.get(other)).toMatchObject({
    waits_for: expect.not.stringContaining('TOO_LARGE'),
  });
  const asked = await client.post(`/api/invoices/${large}/reminders/`, {
    kind: 'REMINDER',
    fee: false,
    interest: true,
  });
  expect([asked.status, asked.body]).toEqual([
    400,
    { detail: [{ message: 'The total is too large' }] },
  ]);
});

describe('proposals', () => {
  test('the first step of each invoice that is late enough, by due date', async () => {
    const customer = await createCustomer(client, { name: 'Ørsta Båt AS' });
    const second = await late({ customer });
    const first = await late({ customer, dueDate: '2026-08-20' });
    await late({ customer, dueDate: '2026-09-01' });
    const found = await proposals();
    expect(found.map(({ invoice_uuid: uuid }) => uuid)).toEqual([first, second]);
    expect(found[1]).toEqual({
      invoice_uuid: second,
      step: 1,
      kind: 'REMINDER',
      fee: 0,
      interest: 0,
      amount: 1000,
      invoice_number: 1,
      customer_name: 'Ørsta Båt AS',
      customer_number: customer,
      amount_due: 1000,
      due_date: '2026-08-31',
      days_late: 3,
      sent: 0,
      new_due_date: '2026-09-17',
      recipient: 'kunde@example.no',
      waits: null,
      waits_for: null,
    });
    expect(await proposals('?page=2')).toEqual([]);
  });

  // INV-12, REM-4
  test('nothing for paid or credited invoices, and the rest for a part-paid one', async () => {
    const [paid, credited, part] = [await late(), await late(), await late()];
    await client.post(`/api/invoices/${paid}/update/`, { status: 'PAID' });
    await client.delete(`/api/invoices/${credited}/`);
    await late({ kroner: 0 });
    const body = { invoice_uuid: part, amount: 400, date: TODAY };
    expect((await client.post('/api/payments/', body)).status).toBe(201);
    expect(await proposals()).toMatchObject([{ invoice_uuid: part, amount_due: 600, amount: 600 }]);
  });

  test('fee and interest by the steps of the company, on what was due each day', async () => {
    const steps = [{ days: 14, kind: 'NOTICE', fee: true, interest: true }];
    await saveSettings({ steps });
    const uuid = await late({ dueDate: '2026-08-17', kroner: 10_000 });
    expect(await proposals()).toMatchObject([
      { kind: 'NOTICE', fee: 37.5, interest: 57.05, amount: 10_094.55 },
    ]);
    await client.post('/api/payments/', { invoice_uuid: uuid, amount: 6000, date: '2026-08-27' });
    // Ten days of 10 000 kr and seven of 4 000 kr at 12.25 per cent.
    expect(await proposals()).toMatchObject([{ interest: 42.96, amount: 4080.46 }]);
  });

  test('earlier interest is kept when the step asks for none', async () => {
    const steps = [
      { days: 14, kind: 'NOTICE', fee: true, interest: true },
      { days: 28, kind: 'REMINDER', fee: false, interest: false },
    ];
    await saveSettings({ steps });
    const uuid = await late({ dueDate: '2026-08-17', kroner: 10_000 });
    const body = { kind: 'NOTICE', fee: true, interest: true };
    expect((await client.post(`/api/invoices/${uuid}/reminders/`, body)).status).toBe(201);
    await leftOn(uuid, '2026-09-03');
    clock.now = new Date('2026-10-05T10:00:00Z');
    expect(await proposals()).toMatchObject([
      { step: 2, fee: 0, interest: 0, amount: 10_000 + 37.5 + 57.05 },
    ]);
  });

  test('a fee has its 14 days from the day on which the mail left', async () => {
    const steps = [14, 28].map((days) => ({ days, kind: 'NOTICE', fee: true, interest: false }));
    await saveSettings({ steps });
    const uuid = await late({ dueDate: '2026-08-17' });
    const body = { kind: 'NOTICE', fee: true, interest: false };
    expect((await client.post(`/api/invoices/${uuid}/reminders/`, body)).status).toBe(201);
    await leftOn(uuid, '2026-09-07');
    // The reminder was made with a deadline of the 17th; 14 days after the 7th is the 21st.
    clock.now = new Date('2026-09-21T10:00:00Z');
    expect(await proposals()).toEqual([]);
    clock.now = new Date('2026-09-22T10:00:00Z');
    expect(await proposals()).toMatchObject([{ step: 2, fee: 37.5, waits: null }]);
    const sent = await client.post('/api/reminders/send/', { uuids: [uuid] });
    expect(sent.body).toMatchObject({ sent: [{ invoice_uuid: uuid }], skipped: [] });
  });

  test('the 14 days begin anew when the mail bounced and was sent again', async () => {
    const steps = [14, 28].map((days) => ({ days, kind: 'NOTICE', fee: true, interest: false }));
    await saveSettings({ steps });
    const uuid = await late({ dueDate: '2026-08-17' });
    const body = { kind: 'NOTICE', fee: true, interest: false };
    expect((await client.post(`/api/invoices/${uuid}/reminders/`, body)).status).toBe(201);
    await leftOn(uuid, '2026-09-03');
    // It bounced that day, and is sent again a week later.
    await sql`
      UPDATE delivery SET status = 'FAILED', failed_at = sent_time, failure_reason = 'Ukjent adresse'
      WHERE company_id = ${companyId} AND reminder_principal IS NOT NULL`.execute(
      testApp.context.db,
    );
    clock.now = new Date('2026-09-10T10:00:00Z');
    const [{ uuid: reminder }] = (await client.get(`/api/invoices/${uuid}/reminders/`))
      .body as unknown as [{ uuid: string }];
    const again = await client.post(`/api/invoices/${uuid}/reminders/${reminder}/deliveries/`, {});
    expect(again.status).toBe(201);
    const last = async () => (await client.get(`/api/invoices/${uuid}/reminders/`)).body.at(-1);
    await until(last, ({ delivery_status: status }) => status === 'SENT');
    await sql`
      UPDATE delivery SET sent_time = '2026-09-10 12:00'
      WHERE company_id = ${companyId} AND status = 'SENT' AND reminder_principal IS NOT NULL`.execute(
      testApp.context.db,
    );
    expect((await last()).counted).toMatchObject({ due_date: '2026-09-24', stopped: false });
    clock.now = new Date('2026-09-24T10:00:00Z');
    expect(await proposals()).toEqual([]);
    clock.now = new Date('2026-09-25T10:00:00Z');
    expect(await proposals()).toMatchObject([{ step: 2, fee: 37.5, waits: null }]);
  });

  // REM-26
  test('is printed without an address, and mailed to the current address of the customer', async () => {
    const customer = await createCustomer(client);
    await late({ customer });
    const { version } = (await client.get(`/api/customers/${customer}/`)).body;
    const renamed = {
      name: 'Ørsta Båt AS',
      email: 'ny@example.no',
      customer_number: customer,
      version,
    };
    const url = `/api/customers/${customer}/update/`;
    expect((await client.send({ method: 'PUT', url, payload: renamed })).status).toBe(200);
    await late({ customer: await createCustomer(client, { email: null }) });
    expect((await proposals()).map(({ recipient }) => recipient)).toEqual(['ny@example.no', null]);
  });

  test('belong to the company that asks', async () => {
    await late();
    client = await testApp.login();
    await completeProfile(client);
    expect(await proposals()).toEqual([]);
  });
});

// REM-18
test('of more than a hundred reminders, jobs send the rest after the response', async () => {
  // Without an address nothing is mailed, which is tried elsewhere.
  const uuids = await lateInvoices(testApp.context.db, client, 103, null);
  const answer = await client.post('/api/reminders/send/', { uuids });
  expect(answer.status).toBe(200);
  expect(answer.body.sent).toHaveLength(100);
  expect(answer.body).toMatchObject({ skipped: [], waiting: uuids.slice(100) });
  await until(
    async () => proposals(),
    (left) => left.length === 0,
  );
  const tooMany = Array.from({ length: 1001 }, () => crypto.randomUUID());
  expect((await client.post('/api/reminders/send/', { uuids: tooMany })).status).toBe(400);
  const made = await testApp.context.db
    .selectFrom('reminder')
    .select(['invoiceId', 'byType'])
    .where('companyId', '=', companyId)
    .execute();
  expect(new Set(made.map(({ invoiceId }) => invoiceId)).size).toBe(103);
  expect(made.filter(({ byType }) => byType === 'ACCOUNT')).toHaveLength(103);
});

// REM-1
describe('an invoice registered or sent after its issue date is late', () => {
  const FEE = { days: 14, kind: 'NOTICE', fee: true, interest: true };

  /** An invoice that was due on 15 June, registered on 1 July, or sent on these days. */
  async function lateAnswer(
    deliveryType: 'NONE' | 'EMAIL',
    sendings: readonly (readonly ['SENT' | 'FAILED', string])[] = [],
  ) {
    const { db } = testApp.context;
    await saveSettings({ steps: [FEE] });
    const change = { delivery_type: deliveryType };
    const uuid = await late({ dueDate: '2026-06-15', kroner: 10_000, change });
    if (deliveryType === 'EMAIL') {
      await until(
        async () => (await client.get(`/api/invoices/${uuid}/`)).body.delivery_status,
        (status) => status === 'SENT',
      );
    }
    await db.transaction().execute(async (trx) => {
      await sql`ALTER TABLE invoice DISABLE TRIGGER invoice_frozen`.execute(trx);
      await sql`UPDATE invoice SET registered_at = '2026-07-01 12:00' WHERE uuid = ${uuid}`.execute(
        trx,
      );
      await sql`ALTER TABLE invoice ENABLE TRIGGER invoice_frozen`.execute(trx);
    });
    const [first, ...more] = sendings;
    if (first) {
      await sql`
        UPDATE delivery SET status = ${first[0]}, sent_time = ${first[1]}::date + time '12:00',
          failure_reason = CASE ${first[0]} WHEN 'FAILED' THEN 'Ukjent adresse' END
        WHERE company_id = ${companyId}`.execute(db);
    }
    for (const [status, day] of more) {
      await sql`
        INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, status, recipient,
          carrier_key, sent_time, forced)
        SELECT company_id, invoice_id, document_id, delivery_type, ${status}, recipient,
          gen_random_uuid(), ${day}::date + time '12:00', true
        FROM delivery WHERE company_id = ${companyId} ORDER BY id LIMIT 1`.execute(db);
    }
    return uuid;
  }

  const byHand = async (uuid: string) =>
    client.post(`/api/invoices/${uuid}/reminders/?dry_run=true`, {
      kind: 'NOTICE',
      fee: true,
      interest: true,
    });

  /** The day from which it is late; the list, the dialog and automation must agree. */
  async function expectDeadline(uuid: string, deadline: string, interest: number): Promise<void> {
    expect((await client.get(`/api/invoices/${uuid}/`)).body).toMatchObject({
      due_date: '2026-06-15',
      payment_deadline: deadline,
    });
    const after = (days: number) =>
      new Date(Date.parse(`${deadline}T10:00:00Z`) + days * 86_400_000);
    clock.now = after(0);
    expect((await byHand(uuid)).body.detail[0].message).toBe('The invoice is not past due');
    clock.now = after(13);
    expect(await proposals()).toEqual([]);
    expect((await byHand(uuid)).body.detail[0].message).toContain('14 days after the due date');
    const refused = await client.post('/api/reminders/send/', { uuids: [uuid] });
    expect(refused.body.sent).toEqual([]);
    clock.now = after(14);
    expect(await proposals()).toMatchObject([
      { due_date: deadline, days_late: 14, fee: 37.5, interest, waits: null },
    ]);
    expect((await byHand(uuid)).body).toMatchObject({ fee: 37.5, interest });
    // The invoice list uses the printed due date (REM-3).
    const { body } = await client.get('/api/invoices/?status=OVERDUE');
    expect(body).toMatchObject({ count: 1, summary: { overdue: 1 } });
  }

  test('from its registration when it is handed over, even if a copy is mailed later', async () => {
    const uuid = await lateAnswer('NONE');
    await expectDeadline(uuid, '2026-07-15', 46.99);
    expect(
      (await client.post(`/api/invoices/${uuid}/deliveries/`, { delivery_type: 'EMAIL' })).status,
    ).toBe(201);
    await until(
      async () => (await client.get(`/api/invoices/${uuid}/`)).body,
      ({ delivery_status: status }) => status === 'SENT',
    );
    expect((await client.get(`/api/invoices/${uuid}/`)).body.payment_deadline).toBe('2026-07-15');
    expect(await proposals()).toMatchObject([{ days_late: 14 }]);
  });

  test('from its first sending', async () => {
    const uuid = await lateAnswer('EMAIL', [
      ['SENT', '2026-07-06'],
      ['SENT', '2026-07-20'],
    ]);
    await expectDeadline(uuid, '2026-07-20', 46.99);
  });

  test('from the sending that was not refused', async () => {
    const uuid = await lateAnswer('EMAIL', [
      ['FAILED', '2026-06-01'],
      ['SENT', '2026-07-06'],
    ]);
    await expectDeadline(uuid, '2026-07-20', 46.99);
  });

  test('never while it is not delivered', async () => {
    const uuid = await lateAnswer('EMAIL', [['FAILED', '2026-06-01']]);
    expect((await client.get(`/api/invoices/${uuid}/`)).body.payment_deadline).toBeNull();
    expect(await proposals()).toMatchObject([{ waits_for: 'NOT_DELIVERED' }]);
    const answer = await byHand(uuid);
    expect([answer.status, answer.body.detail[0].message]).toEqual([
      409,
      'The invoice did not reach the customer',
    ]);
  });

  test('not in the minute in which it is registered', async () => {
    clock.now = new Date();
    const uuid = await createDraft(client, await createCustomer(client), {
      issue_date: '2026-06-01',
      due_days: 14,
    });
    await register(client, uuid);
    expect(await proposals()).toEqual([]);
    expect((await byHand(uuid)).body.detail[0].message).toBe('The invoice is not past due');
  });
});

// REM-24
describe('a reminder waits', () => {
  const waiting = async () => (await proposals()).map(({ waits_for: code }) => code);

  test('for a customer with credit', async () => {
    const customer = await createCustomer(client);
    await late({ customer });
    const settled = await late({ customer, dueDate: '2026-09-02' });
    const payment = await addBankPayment(testApp.context.db, companyId, { amount: 1500 });
    await client.post(`/api/payments/${payment}/place/`, { invoice_uuid: settled });
    expect(await proposals()).toMatchObject([
      { waits_for: 'CREDIT', waits: 'The customer has a credit of 500,00 kroner' },
    ]);
  });

  test('for unplaced money that has its KID or was suggested for it', async () => {
    const { db } = testApp.context;
    const [first, second] = [await late({ dueDate: '2026-08-28' }), await late()];
    const stored = async (uuid: string) =>
      db.selectFrom('invoice').select(['id', 'kid']).where('uuid', '=', uuid).executeTakeFirst();
    const kid = (await stored(first))?.kid?.replace(/^0+/, '');
    expect(kid).toMatch(/^\d+$/);
    await addBankPayment(db, companyId, { amount: 10, kid: '0000000000000000' });
    expect(await waiting()).toEqual([null, null]);
    const copy = { amount: 1000, kid: kid ?? null, possibleCopy: true };
    const named = await addBankPayment(db, companyId, copy);
    expect(await waiting()).toEqual(['UNPLACED_PAYMENT', null]);
    const skipped = await client.post('/api/reminders/send/', { uuids: [first] });
    expect(skipped.body.skipped).toEqual([
      { uuid: first, message: 'A payment that may be of this invoice has not been placed yet' },
    ]);
    expect((await client.delete(`/api/payments/${named}/`)).status).toBe(204);
    expect(await waiting()).toEqual([null, null]);
    const invoiceIds = [(await stored(second))?.id ?? 0];
    const suggestion = { reason: 'AMOUNT_AND_PAYER', invoiceIds } as const;
    await addBankPayment(db, companyId, { amount: 1000, suggestion });
    expect(await waiting()).toEqual([null, 'UNPLACED_PAYMENT']);
  });

  test('for a dispute', async () => {
    const uuid = await late();
    await sql`UPDATE invoice SET disputed = true WHERE uuid = ${uuid}`.execute(testApp.context.db);
    expect(await waiting()).toEqual(['DISPUTED']);
  });

  test('for the invoice to be delivered', async () => {
    const { db } = testApp.context;
    const sent = await late({ change: { delivery_type: 'EMAIL' } });
    await until(
      async () => (await client.get(`/api/invoices/${sent}/`)).body.delivery_status,
      (status) => status === 'SENT',
    );
    expect(await waiting()).toEqual([]);
    await registeredInTime(db, [sent]);
    expect(await waiting()).toEqual([null]);
    await sql`UPDATE invoice SET delivery_status = 'FAILED' WHERE uuid = ${sent}`.execute(db);
    expect(await waiting()).toEqual(['NOT_DELIVERED']);
    await sql`UPDATE invoice SET delivery_status = 'QUEUED' WHERE uuid = ${sent}`.execute(db);
    expect(await waiting()).toEqual(['UNDER_WAY']);
  });

  test('for a new address when the old one bounced', async () => {
    const email = `borte${crypto.randomUUID()}@example.no`;
    await late({ customer: await createCustomer(client, { email }) });
    await suppress(testApp.context.db, email, 'BOUNCE');
    expect(await waiting()).toEqual(['SUPPRESSED_ADDRESS']);
  });

  test('for the minimum amount', async () => {
    await late({ kroner: 99.99 });
    expect(await waiting()).toEqual(['BELOW_MINIMUM']);
    await saveSettings({ minimum_amount: 50 });
    expect(await waiting()).toEqual([null]);
  });

  test('for a missing rate, and names it', async () => {
    clock.now = new Date('2027-01-20T10:00:00Z');
    await saveSettings({ steps: [{ days: 14, kind: 'NOTICE', fee: true, interest: true }] });
    const invoice = await late({ dueDate: '2026-12-15' });
    const wish = { kind: 'NOTICE', fee: true, interest: true };
    const byHand = await client.post(`/api/invoices/${invoice}/reminders/`, wish);
    expect(byHand.status).toBe(409);
    expect(byHand.text).toContain('The rate of late interest of the first half of 2027 is missing');
    expect(await proposals()).toMatchObject([
      {
        waits_for: 'NO_RATE',
        waits: 'The rate of late interest of the first half of 2027 is missing',
        fee: null,
        interest: null,
        amount: null,
      },
    ]);
  });

  test('for a newer bank file, once one was read', async () => {
    const { db } = testApp.context;
    await late();
    expect(await waiting()).toEqual([null]);
    // A Thursday: the Thursday of the week before is five working days ago.
    await addBankFile(db, companyId, '2026-08-27');
    expect(await waiting()).toEqual(['BANK_FILE_OLD']);
    await addBankFile(db, companyId, '2026-09-01', 'PREVIEW');
    expect(await waiting()).toEqual(['BANK_FILE_OLD']);
    await addBankFile(db, companyId, '2026-08-28');
    expect(await waiting()).toEqual([null]);
  });

  // BANK-4
  test('while a bank file is half booked; a manual reminder is refused too', async () => {
    const invoice = await late();
    const finish = await addHalfBooked(testApp.context, companyId, TODAY);
    expect(await waiting()).toEqual(['BANK_FILE_UNDER_WAY']);
    const sent = await client.post('/api/reminders/send/', { uuids: [invoice] });
    const message = 'A file of the bank is being booked or undone; try again when that is done';
    expect(sent.body).toEqual({ sent: [], skipped: [{ uuid: invoice, message }] });
    const wanted = { kind: 'REMINDER', fee: false, interest: false };
    const path = `/api/invoices/${invoice}/reminders/`;
    expect((await client.post(path, wanted)).status).toBe(409);
    await finish();
    expect(await waiting()).toEqual([null]);
    expect((await client.post(path, wanted)).status).toBe(201);
  });
});
