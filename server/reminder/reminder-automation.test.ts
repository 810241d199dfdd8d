import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sql } from 'kysely';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { remindJob } from '../platform/jobs/jobs.ts';
import { suppress } from '../platform/mail/refusals.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer } from '../testing/factories.ts';
import {
  addBankFile,
  addHalfBooked,
  lateInvoice,
  lateInvoices,
  saveReminderSettings,
} from '../testing/late-invoices.ts';
import { addBankPayment } from '../testing/payments.ts';
import { readMail } from '../testing/mails.ts';
import { until } from '../testing/until.ts';
import { remindAutomatically } from './reminder-automation.service.ts';

const clock = vi.hoisted(() => ({ now: new Date() }));

// Only the tests' clock is set to another day; jobs and sessions use the real one.
vi.mock(import('../../domain/date.ts'), async (importOriginal) => {
  const actual = await importOriginal();
  return {
    ...actual,
    todayInOslo: (now = clock.now) => actual.todayInOslo(now),
    hourInOslo: (now = clock.now) => actual.hourInOslo(now),
  };
});

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'reminders,payments' });
});
afterAll(async () => testApp.close());

// A Thursday in summer time.
const TODAY = '2026-09-03';
const at = (day: string, time = '10:00') => new Date(`${day}T${time}:00+02:00`);

let client: TestClient;
let companyId: number;
let ownAddress: string;

beforeEach(async () => {
  clock.now = at(TODAY);
  const email = `kreditor${crypto.randomUUID()}@example.no`;
  ownAddress = `post${crypto.randomUUID()}@example.no`;
  client = await testApp.login(email);
  await completeProfile(client, { email: ownAddress });
  companyId = await companyIdOf(testApp.context.db, email);
});

/** Turns automation on, with a bank file from the day before. */
async function sendByItself(): Promise<void> {
  await saveReminderSettings(client, { automatic: true, approve: false });
  await addBankFile(testApp.context.db, companyId, '2026-09-02');
}

async function run(): Promise<void> {
  const order = { companyId, after: null };
  await remindAutomatically(testApp.context, order, new AbortController().signal);
}

/** The principal asked for, by invoice and step. */
async function reminders() {
  const { rows } = await sql<{ invoice: string; step: number; principal: number }>`
    SELECT invoice.uuid AS invoice, step, principal FROM reminder
    JOIN invoice ON invoice.company_id = reminder.company_id AND invoice.id = invoice_id
    WHERE reminder.company_id = ${companyId} ORDER BY invoice_id, step`.execute(testApp.context.db);
  return rows;
}

/** The mails to an address. Parsing one with its PDFs takes much longer than reading it. */
async function mailsTo(address: string): Promise<Email[]> {
  const names = await readdir(testApp.outbox).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .map(async (name) => readFile(join(testApp.outbox, name))),
  );
  const mails = await Promise.all(files.filter((file) => file.includes(address)).map(readMail));
  return mails.filter(({ to }) => to?.some((one) => one.address === address));
}

describe('automation', () => {
  // REM-23
  test('sends a reminder of a late invoice once, by mail, and adds it to the history', async () => {
    await sendByItself();
    const email = `kunde${crypto.randomUUID()}@example.no`;
    const uuid = await lateInvoice(testApp.context.db, client, {
      customer: await createCustomer(client, { email }),
    });
    await run();
    await run();
    expect(await reminders()).toEqual([{ invoice: uuid, step: 1, principal: 1000_00 }]);
    // The mail is in the outbox before its delivery is marked as sent, and the next step waits for that mark.
    await until(
      async () => (await client.get(`/api/invoices/${uuid}/reminders/`)).body.at(-1),
      ({ delivery_status: status }) => status === 'SENT',
    );
    expect(await mailsTo(email)).toHaveLength(1);
    const { body } = await client.get(`/api/invoices/${uuid}/history/`);
    expect(body).toContainEqual(
      expect.objectContaining({ kind: 'REMINDED', by: { type: 'SYSTEM', name: 'Faktur' } }),
    );
    // The next step has to wait for the deadline of this one.
    clock.now = at('2026-09-17');
    await addBankFile(testApp.context.db, companyId, '2026-09-16');
    await run();
    expect(await reminders()).toHaveLength(1);
    clock.now = at('2026-09-18');
    await run();
    expect(await reminders()).toMatchObject([{ step: 1 }, { step: 2 }]);
  });

  // REM-16
  test('sends nothing for invoices that are paid, credited, disputed or owed by a customer with credit', async () => {
    const { db } = testApp.context;
    await sendByItself();
    const customer = await createCustomer(client);
    const [paid, credited, disputed, part] = [
      await lateInvoice(testApp.context.db, client, { customer }),
      await lateInvoice(testApp.context.db, client, { customer }),
      await lateInvoice(testApp.context.db, client, { customer }),
      await lateInvoice(testApp.context.db, client, { customer }),
    ];
    const payment = { invoice_uuid: part, amount: 400, date: TODAY };
    await client.post(`/api/invoices/${paid}/update/`, { status: 'PAID' });
    await client.delete(`/api/invoices/${credited}/`);
    await client.post(`/api/invoices/${disputed}/dispute/`, { disputed: true });
    await client.post('/api/payments/', payment);
    const other = await createCustomer(client);
    await lateInvoice(testApp.context.db, client, { customer: other });
    const settled = await lateInvoice(testApp.context.db, client, {
      customer: other,
      dueDate: '2026-09-02',
    });
    const uuid = await addBankPayment(db, companyId, { amount: 1500 });
    await client.post(`/api/payments/${uuid}/place/`, { invoice_uuid: settled });
    await run();
    expect(await reminders()).toEqual([{ invoice: part, step: 1, principal: 600_00 }]);
  });

  test('sends nothing to an address that bounced, and prints nothing', async () => {
    await sendByItself();
    const email = `borte${crypto.randomUUID()}@example.no`;
    await suppress(testApp.context.db, email, 'BOUNCE');
    await lateInvoice(testApp.context.db, client, {
      customer: await createCustomer(client, { email }),
    });
    await lateInvoice(testApp.context.db, client, {
      customer: await createCustomer(client, { email: null }),
    });
    await run();
    await run();
    expect(await reminders()).toEqual([]);
    // The owner is mailed about the reminder that only a person can send.
    expect(await mailsTo(ownAddress)).toEqual([
      expect.objectContaining({
        subject: '1 purring venter på deg',
        text: expect.stringContaining('\nGjelder Snekker Andersen AS\n'),
      }),
    ]);
  });

  // REM-23
  test.each([
    ['on a Saturday', at('2026-09-05')],
    ['on a Sunday', at('2026-09-06')],
    ['on a holiday', new Date('2026-12-25T10:00:00+01:00')],
    ['before eight', at(TODAY, '07:59')],
    ['after four', at(TODAY, '16:00')],
    ['before eight in winter', new Date('2026-11-23T07:59:00+01:00')],
  ])('nothing is sent %s', async (_, now) => {
    await sendByItself();
    await lateInvoice(testApp.context.db, client);
    clock.now = now;
    await addBankFile(testApp.context.db, companyId, todayInOslo(now));
    await run();
    expect(await reminders()).toEqual([]);
  });

  test('sends nothing while the newest bank file is old, and mails the owner', async () => {
    await sendByItself();
    await lateInvoice(testApp.context.db, client);
    clock.now = at('2026-09-10');
    await run();
    await run();
    expect(await reminders()).toEqual([]);
    expect(await mailsTo(ownAddress)).toMatchObject([{ subject: '1 purring venter på deg' }]);
    // The same day, as soon as a newer file is read.
    await addBankFile(testApp.context.db, companyId, '2026-09-10');
    await run();
    expect(await reminders()).toHaveLength(1);
  });

  // BANK-4
  test('sends nothing while a bank file is half booked, and continues the same day', async () => {
    await sendByItself();
    const uuid = await lateInvoice(testApp.context.db, client);
    const finish = await addHalfBooked(testApp.context, companyId, TODAY);
    await expect(run()).rejects.toThrow('A file of the bank is half booked');
    expect(await reminders()).toEqual([]);
    await finish();
    await run();
    expect(await reminders()).toMatchObject([{ invoice: uuid }]);
  });

  test('sends many in batches, each queued behind other jobs', async () => {
    await sendByItself();
    const many = 53;
    await lateInvoices(testApp.context.db, client, many, 'kunde@example.no');
    await run();
    const found = await until(
      async () => reminders(),
      (rows) => rows.length === many,
    );
    expect(new Set(found.map(({ invoice }) => invoice)).size).toBe(many);
  });

  // REM-21
  test('is off by default', async () => {
    await addBankFile(testApp.context.db, companyId, '2026-09-02');
    await lateInvoice(testApp.context.db, client);
    await run();
    expect([await reminders(), await mailsTo(ownAddress)]).toEqual([[], []]);
  });
});

describe('with approval', () => {
  test.each([
    ['because it is wanted', true],
    ['because no file of the bank was ever read', false],
  ])('%s, reminders wait and the owner is mailed at most once a day', async (_, approve) => {
    const { context } = testApp;
    await saveReminderSettings(client, { automatic: true, approve });
    if (approve) await addBankFile(context.db, companyId, '2026-09-02');
    await lateInvoice(testApp.context.db, client);
    await lateInvoice(testApp.context.db, client, { kroner: 50 });
    // The scheduled run.
    await context.jobs.enqueue(context.db, remindJob, { companyId: null, after: null });
    const mailsToOwner = async () => (await mailsTo(ownAddress)).length;
    await until(mailsToOwner, (count) => count === 1);
    await lateInvoice(testApp.context.db, client, { dueDate: '2026-08-30' });
    await run();
    expect([await mailsToOwner(), await reminders()]).toEqual([1, []]);
    clock.now = at('2026-09-04');
    await run();
    expect(await mailsToOwner()).toBe(2);
    // The number is unchanged, so the next mail comes after a week.
    clock.now = at('2026-09-07');
    await run();
    expect(await mailsToOwner()).toBe(2);
    if (approve) await addBankFile(context.db, companyId, '2026-09-11');
    clock.now = at('2026-09-11');
    await run();
    expect([await mailsToOwner(), await reminders()]).toEqual([3, []]);
  });
});

describe('after approval', () => {
  const send = async (uuids: string[]) => {
    const { status, body } = await client.post('/api/reminders/send/', { uuids });
    expect(status).toBe(200);
    return body as { sent: { invoice_uuid: string; reminder_uuid: string }[]; skipped: object[] };
  };

  // REM-23
  test('reminders are sent at any hour, and changes since the proposal are reported', async () => {
    clock.now = at('2026-09-05', '22:00');
    const customer = await createCustomer(client);
    const uuids = [];
    for (let count = 0; count < 4; count += 1)
      uuids.push(await lateInvoice(testApp.context.db, client, { customer }));
    const [whole = '', part = '', paid = '', disputed = ''] = uuids;
    const { body: proposals } = await client.get('/api/reminders/proposals/');
    expect(proposals).toHaveLength(4);
    await client.post('/api/payments/', { invoice_uuid: part, amount: 400, date: TODAY });
    await client.post(`/api/invoices/${paid}/update/`, { status: 'PAID' });
    await client.post(`/api/invoices/${disputed}/dispute/`, { disputed: true });
    const foreign = crypto.randomUUID();
    const { sent, skipped } = await send([...uuids, whole, foreign]);
    expect(sent.map(({ invoice_uuid: uuid }) => uuid)).toEqual([whole, part]);
    expect(skipped).toEqual([
      {
        uuid: paid,
        message:
          'No reminder of the invoice is due: it may be paid, credited or reminded of already',
      },
      { uuid: disputed, message: 'The customer disputes the invoice' },
      { uuid: foreign, message: 'Not found' },
    ]);
    expect(await reminders()).toEqual([
      { invoice: whole, step: 1, principal: 1000_00 },
      { invoice: part, step: 1, principal: 600_00 },
    ]);
    // Reminded today.
    expect(await send([whole])).toMatchObject({ sent: [], skipped: [{ uuid: whole }] });
  });

  test('a reminder without an address is printed', async () => {
    const uuid = await lateInvoice(testApp.context.db, client, {
      customer: await createCustomer(client, { email: null }),
    });
    expect((await send([uuid])).sent).toHaveLength(1);
  });
});
