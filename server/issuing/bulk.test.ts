import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { addBankPayment } from '../testing/payments.ts';

const TODAY = todayInOslo();
const ISSUED = addDays(TODAY, -10);
const UNKNOWN = 'c0ffee00-0000-4000-8000-000000000000';

// INV-21
describe.each(['', 'payments'])('with the features "%s"', (features) => {
  let testApp: TestApp;
  let client: TestClient;
  let customer: number;
  let others: string;
  let owner: string;

  beforeAll(async () => {
    testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: features });
    const other = await testApp.login();
    await completeProfile(other);
    others = await createDraft(other, await createCustomer(other));
    await register(other, others);
  });
  afterAll(async () => testApp.close());
  beforeEach(async () => {
    owner = `kari-${crypto.randomUUID()}@fjordlys.no`;
    client = await testApp.login(owner);
    await completeProfile(client);
    customer = await createCustomer(client);
  });

  async function draft(changes: object = {}): Promise<string> {
    return createDraft(client, customer, { issue_date: ISSUED, ...changes });
  }

  async function registered(changes: object = {}): Promise<string> {
    const uuid = await draft(changes);
    await register(client, uuid);
    return uuid;
  }

  const update = async (uuids: string[], status: string, more: object = {}) =>
    client.post('/api/invoices/update/', { uuids, status, ...more });
  const read = async (uuid: string) => (await client.get(`/api/invoices/${uuid}/`)).body;
  const historyOf = async (uuid: string): Promise<string[]> =>
    (await client.get(`/api/invoices/${uuid}/history/`)).body.map(
      ({ kind }: { kind: string }) => kind,
    );

  // PAY-1
  test('many are paid on one day, and each has that in its history', async () => {
    const uuids = [await registered(), await registered(), await registered()];
    const paidDate = addDays(TODAY, -3);
    const { status, body } = await update(uuids, 'PAID', { paid_date: paidDate });
    expect([status, body]).toEqual([200, { updated: uuids, skipped: [] }]);
    for (const uuid of uuids) {
      expect(await read(uuid)).toMatchObject({
        status: 'PAID',
        paid_date: paidDate,
        amount_due: 0,
      });
      expect((await historyOf(uuid)).slice(0, 2)).toEqual(['PAID', 'PAYMENT']);
    }
    const { body: list } = await client.get('/api/invoices/?status=PAID');
    expect(list.count).toBe(3);
    expect(list.summary.outstanding).toBe(0);
  });

  test('they are paid today when no day is given', async () => {
    const uuid = await registered();
    for (const blank of [{}, { paid_date: null }, { paid_date: '' }]) {
      const { body } = await update([uuid], 'PAID', blank);
      expect(body.updated).toEqual([uuid]);
      expect(await read(uuid)).toMatchObject({ paid_date: TODAY });
      await update([uuid], 'REGISTERED');
    }
  });

  test('marking many as unpaid equals marking each alone', async () => {
    const [many, one] = [await registered(), await registered()];
    await update([many, one], 'PAID');
    const { body } = await update([many], 'REGISTERED');
    expect(body).toEqual({ updated: [many], skipped: [] });
    await client.post(`/api/invoices/${one}/update/`, { status: 'REGISTERED' });
    const same = { status: 'REGISTERED', paid_date: null, paid_amount: 0 };
    expect([await read(many), await read(one)]).toMatchObject([same, same]);
    expect(await historyOf(many)).toEqual(await historyOf(one));
  });

  test('invoices that cannot be marked are listed as skipped, the rest is marked', async () => {
    const ok = await registered();
    const paid = await registered();
    await update([paid], 'PAID');
    const cancelled = await registered();
    await client.delete(`/api/invoices/${cancelled}/`);
    const { uuid: note } = (await read(cancelled)).credit_note;
    const later = await registered({ issue_date: addDays(TODAY, 10) });
    const aDraft = await draft();
    const asked = [paid, UNKNOWN, cancelled, others, note, ok, later, aDraft];
    const { body } = await update(asked, 'PAID', { paid_date: ISSUED });
    expect(body).toEqual({
      updated: [ok, later],
      skipped: [
        { uuid: paid, message: 'The invoice is paid already' },
        { uuid: UNKNOWN, message: 'Not found' },
        { uuid: cancelled, message: 'The invoice is already cancelled by a credit note' },
        { uuid: others, message: 'Not found' },
        { uuid: note, message: 'A credit note cannot be deleted or paid' },
        { uuid: aDraft, message: 'A draft is not paid; register the invoice first' },
      ],
    });
    const unpaid = await registered();
    const back = await update([aDraft, unpaid, ok], 'REGISTERED');
    expect(back.body).toEqual({
      updated: [ok],
      skipped: [aDraft, unpaid].map((uuid) => ({ uuid, message: 'The invoice is not paid' })),
    });
  });

  test('a dry run lists the payments that would be reversed, and marks nothing', async () => {
    if (features === '') return;
    const [one, other] = [await registered(), await registered()];
    await client.post('/api/payments/', { invoice_uuid: one, amount: 100, date: ISSUED });
    await update([one, other], 'PAID', { paid_date: TODAY });
    const url = '/api/invoices/update/?dry_run=true';
    const wish = { uuids: [one, other, UNKNOWN], status: 'REGISTERED' };
    expect((await client.post(url, wish)).body).toEqual({
      updated: [one, other],
      skipped: [{ uuid: UNKNOWN, message: 'Not found' }],
      payments: [
        {
          uuid: expect.any(String),
          invoice_uuid: one,
          date: ISSUED,
          amount: 100,
          source: 'MANUAL',
          taken_back: true,
        },
        {
          uuid: expect.any(String),
          invoice_uuid: one,
          date: TODAY,
          amount: 73.46,
          source: 'MANUAL',
          taken_back: true,
        },
        {
          uuid: expect.any(String),
          invoice_uuid: other,
          date: TODAY,
          amount: 173.46,
          source: 'MANUAL',
          taken_back: true,
        },
      ],
    });
    expect(await read(one)).toMatchObject({ status: 'PAID', paid_amount: 173.46 });
    const { body } = await client.post(url, { uuids: [one], status: 'PAID' });
    expect(body).toMatchObject({ updated: [], payments: [] });
  });

  test('an invoice named twice is marked once', async () => {
    const uuid = await registered();
    const { body } = await update([uuid, uuid.toUpperCase(), uuid], 'PAID');
    expect(body).toEqual({ updated: [uuid], skipped: [] });
    expect((await historyOf(uuid)).filter((kind) => kind === 'PAYMENT')).toHaveLength(1);
  });

  test('payments from the bank stay', async () => {
    const uuid = await registered();
    const companyId = await companyIdOf(testApp.context.db, owner);
    const { gross_amount: amount } = await read(uuid);
    const payment = await addBankPayment(testApp.context.db, companyId, { amount });
    // As it was placed while payments were on.
    await sql`
      UPDATE payment SET invoice_id = invoice.id FROM invoice
      WHERE payment.company_id = ${companyId} AND payment.uuid = ${payment}
        AND invoice.company_id = ${companyId} AND invoice.uuid = ${uuid}`.execute(
      testApp.context.db,
    );
    const said = features === '' ? '(FEATURES=payments)' : 'among the incoming payments';
    const { body } = await update([uuid], 'REGISTERED');
    expect(body.updated).toEqual([]);
    expect(body.skipped[0].message).toContain('The bank has told of this payment');
    expect(body.skipped[0].message).toContain(said);
    const alone = await client.post(`/api/invoices/${uuid}/update/`, { status: 'REGISTERED' });
    expect([alone.status, alone.body.detail[0].message]).toEqual([
      409,
      expect.stringContaining(said),
    ]);
  });

  // WIRE-18
  test.each([
    [{ status: 'PAID' }, 'uuids'],
    [{ uuids: [], status: 'PAID' }, 'uuids'],
    [{ uuids: Array.from({ length: 1001 }, () => UNKNOWN), status: 'PAID' }, 'uuids'],
    [{ uuids: ['7'], status: 'PAID' }, 'uuids[0]'],
    [{ uuids: [UNKNOWN], status: 'CANCELLED' }, 'status'],
    [{ uuids: [UNKNOWN], status: 'PAID', paid_date: addDays(TODAY, 1) }, 'paid_date'],
    [{ uuids: [UNKNOWN], status: 'PAID', paid_date: '1899-12-31' }, 'paid_date'],
  ])('%o is refused', async (body, field) => {
    const answer = await client.post('/api/invoices/update/', body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toEqual([expect.objectContaining({ field })]);
  });

  test('the chosen drafts alone are registered, in the order of their making', async () => {
    const [first, second, third] = [await draft(), await draft(), await draft()];
    const without = await createCustomer(client, { email: null, name: 'Uten adresse' });
    const bad = await createDraft(client, without, { delivery_type: 'EMAIL' });
    const before = await registered();
    const wish = { uuids: [bad, third, before, UNKNOWN, others, first, third] };
    const { body: trial } = await client.post('/api/invoices/queue/?dry_run=true', wish);
    const { body: trialOfAll } = await client.post('/api/invoices/queue/?dry_run=true');
    expect((await read(first)).status).toBe('DRAFT');
    const { status, body } = await client.post('/api/invoices/queue/', wish);
    expect(status).toBe(200);
    // INV-13: a trial says what would be registered, and who is left out.
    const { gross_amount: gross } = await read(first);
    const queueable = { drafts: 2, emails: 0, gross_amount: 2 * gross };
    const left = { skipped: body.skipped, unprintable: [], hinted: 2 };
    expect(trial).toEqual({ registered: [], queueable, ...left });
    expect(trialOfAll).toMatchObject({ skipped: [{ uuid: bad }], queueable: { drafts: 3 } });
    const nothing = { customer_number: null, mended_at: null };
    expect(body).toEqual({
      registered: [
        { uuid: first, invoice_number: 2 },
        { uuid: third, invoice_number: 3 },
      ],
      skipped: [
        {
          uuid: bad,
          customer_name: 'Uten adresse',
          customer_number: expect.any(Number),
          message: 'The customer has no e-mail address',
          mended_at: 'CUSTOMER',
        },
        {
          uuid: before,
          customer_name: 'Ørsta Båt AS',
          message: 'The invoice is registered already',
          ...nothing,
        },
        { uuid: UNKNOWN, customer_name: '', message: 'Not found', ...nothing },
        { uuid: others, customer_name: '', message: 'Not found', ...nothing },
      ],
    });
    expect((await read(second)).status).toBe('DRAFT');
  });

  test('a body that names nothing registers nothing', async () => {
    const uuid = await draft();
    for (const body of [{}, { uuids: [] }, { uuids: null }]) {
      expect((await client.post('/api/invoices/queue/', body)).status).toBe(400);
    }
    expect((await read(uuid)).status).toBe('DRAFT');
    // A call that names one invoice in its query needs no more.
    const other = await draft();
    const one = await client.post(`/api/invoices/queue/?invoice_uuid=${other}`, {});
    expect(one.body.registered).toMatchObject([{ uuid: other }]);
    // Without a body all drafts are meant, with any content type.
    const { body } = await client.send({
      method: 'POST',
      url: '/api/invoices/queue/',
      headers: { 'content-type': 'application/json' },
    });
    expect(body.registered).toEqual([{ uuid, invoice_number: 2 }]);
  });
});
