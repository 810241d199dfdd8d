import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Feature } from '../../domain/api/endpoint.ts';
import { QUOTE_FAILURES } from '../quote/quote-failure.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  addQuote,
  completeProfile,
  createCustomer,
  createDraft,
  register,
} from '../testing/factories.ts';
import { lateInvoice } from '../testing/late-invoices.ts';
import { failureNoticeJob } from '../platform/jobs/jobs.ts';
import { MailError } from '../platform/mail/mail-error.ts';
import { suppress } from '../platform/mail/refusals.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { recordAddressReturned } from './delivery-record.service.ts';
import { reportFailures } from './failure-notice.service.ts';

const REFUSED = { code: 550, text: '5.1.1 No such user' };

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let companyId: number;
let companyEmail: string;
let companies = 0;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ FEATURES: 'reminders,members,quotes', SMTP_URL: smtp.url });
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
beforeEach(async () => {
  await tellNothingByItself();
  companies += 1;
  const owner = `eier${companies}@example.no`;
  companyEmail = `firma${companies}@example.no`;
  client = await testApp.login(owner);
  await completeProfile(client, { email: companyEmail });
  companyId = await companyIdOf(testApp.context.db, owner);
  refuse((address) => address.startsWith('nei'));
});
afterEach(() => {
  Object.assign(smtp.faults, { refuseRecipient: null, loseAnswerTo: null });
});

/** Every five minutes it would, which may be in the middle of a test, or just when the queue starts. */
async function tellNothingByItself(): Promise<void> {
  const { name } = failureNoticeJob;
  const { db } = testApp.context;
  await sql`DELETE FROM jobs.schedule WHERE name = ${name}`.execute(db);
  await sql`DELETE FROM jobs.job WHERE name = ${name} AND state IN ('created', 'retry')
    OR name = '__pgboss__send-it' AND data ->> 'name' = ${name}`.execute(db);
}

function refuse(isRefused: (address: string) => boolean): void {
  smtp.faults.refuseRecipient = (address) => (isRefused(address) ? REFUSED : null);
}

/** Sends a customer an invoice and waits for what becomes of it. */
async function send(name: string, email: string): Promise<string> {
  const customer = await createCustomer(client, { name, email });
  const uuid = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  await register(client, uuid);
  await untilDelivered(uuid);
  return uuid;
}

/** An invoice that was due some time ago, given by hand. */
async function late(email: string): Promise<string> {
  return lateInvoice(testApp.context.db, client, {
    customer: await createCustomer(client, { name: 'Sen AS', email }),
  });
}

/** An invoice that arrived and was paid. */
async function sendPaid(): Promise<string> {
  const uuid = await send('Betalt', 'ja@example.no');
  await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
  return uuid;
}

async function sendAgain(uuid: string, recipient: string): Promise<void> {
  const body = { delivery_type: 'EMAIL', recipient };
  expect((await client.post(`/api/invoices/${uuid}/deliveries/`, body)).status).toBe(201);
  await untilDelivered(uuid);
}

/** Mails a quote, and waits for what becomes of it. */
async function sendQuote(customer: number, expected = 'FAILED'): Promise<string> {
  const { uuid } = await addQuote(client, customer);
  expect((await client.post(`/api/quotes/${uuid}/send/`, {})).status).toBe(200);
  await untilQuote(uuid, expected);
  return uuid;
}

async function untilQuote(uuid: string, expected: string, mailed = 1): Promise<void> {
  await until(
    async () => (await client.get(`/api/quotes/${uuid}/`)).body.deliveries,
    (deliveries: { status: string; recipients: { status: string }[] }[]) =>
      deliveries.length === mailed &&
      deliveries[0]?.status === expected &&
      deliveries[0].recipients.every(({ status }) => status !== 'QUEUED'),
  );
}

/** Mails a reminder of an invoice, and waits for what becomes of it. */
async function remind(uuid: string, expected = 'FAILED'): Promise<string> {
  const path = `/api/invoices/${uuid}/reminders/`;
  const body = { kind: 'REMINDER', fee: false, interest: false };
  const reminder = await client.post(path, body);
  expect(reminder.status).toBe(201);
  await until(
    async () => (await client.get(path)).body[0].delivery_status,
    (status) => status === expected,
  );
  return reminder.body.uuid;
}

async function untilDelivered(uuid: string): Promise<void> {
  await until(
    async () => (await client.get(`/api/invoices/${uuid}/`)).body.delivery_status,
    (status) => status === 'SENT' || status === 'FAILED',
  );
}

const tell = async () => reportFailures(testApp.context, { companyId }, QUOTE_FAILURES);
const mails = () => smtp.mails.filter(({ to }) => to.includes(companyEmail));
const subjects = () => mails().map(({ subject }) => subject);

async function anHourLater(): Promise<void> {
  await sql`UPDATE failure_notice SET sent_at = sent_at - interval '1 hour'
    WHERE company_id = ${companyId}`.execute(testApp.context.db);
}

async function newestMail() {
  const mail = mails().at(-1);
  if (!mail) throw new Error('Nothing was mailed');
  return readMail(mail);
}

// DEL-18
describe('the owner is told of what could not be delivered', () => {
  test('by number, customer and reason, and of nothing else', async () => {
    await send('Kommer fram AS', 'ja@example.no');
    await tell();
    expect(mails()).toEqual([]);
    await send('Ørsta & Sønn <AS>', 'nei1@example.no');
    await send('Åse', 'nei2@example.no');
    await tell();
    expect(subjects()).toEqual(['2 fakturaer kom ikke fram']);
    const { text, html, headers } = await newestMail();
    expect(text).toContain('\nGjelder Snekker Andersen AS\n');
    // The preview of an inbox.
    expect(html).toContain('>Gjelder Snekker Andersen AS: Ørsta &amp; Sønn &lt;AS&gt;, Åse');
    expect(text).toMatch(/Faktura 2:\s+Ørsta & Sønn <AS>: E-postadressen finnes ikke/);
    expect(text).toMatch(/Faktura 3:\s+Åse: /);
    expect(text).not.toContain('Kommer fram AS');
    const { uuid } = (await client.get('/api/users/session/')).body.company;
    expect(text).toContain(`http://faktur.test/invoices/?status=FAILED&company=${uuid}\n`);
    expect(html).toContain('Ørsta &amp; Sønn &lt;AS&gt;');
    expect(headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
  });

  test('of one of several addresses, by name, though another got it', async () => {
    const invoiceEmails = ['ja@example.no', 'nei1@example.no', 'nei2@example.no'];
    const customer = await createCustomer(client, { name: 'Åse', invoice_emails: invoiceEmails });
    const uuid = await createDraft(client, customer, { delivery_type: 'EMAIL' });
    await register(client, uuid);
    await untilDelivered(uuid);
    await tell();
    expect(subjects()).toEqual(['Noe er i veien med 1 faktura']);
    const { text } = await newestMail();
    expect(text).toContain('Den kom ikke fram til alle adressene');
    expect(text).toMatch(
      /Åse: nei1@example.no: E-postadressen[^.]*\([^)]*\)\.\s+nei2@example.no: /,
    );
    expect(text).not.toContain('ja@example.no');
    expect(text).toContain('/invoices/?status=FAILED&company=');
    // It is told of once.
    await anHourLater();
    await tell();
    expect(mails()).toHaveLength(1);
    // One that comes back later is told of too.
    const { id } = await testApp.context.db
      .selectFrom('delivery')
      .select('id')
      .where('companyId', '=', companyId)
      .executeTakeFirstOrThrow();
    const refused = { address: 'ja@example.no', reason: 'Postkassen er full' };
    await testApp.context.db
      .transaction()
      .execute(async (trx) => recordAddressReturned(trx, { companyId, id }, refused));
    await tell();
    expect(subjects()[1]).toBe('1 faktura kom ikke fram');
  });

  test('of a reminder, which the list of invoices tells nothing of', async () => {
    const [uuid, other] = [await late('sen1@example.no'), await late('sen2@example.no')];
    refuse((address) => /^(?:sen|nei)/.test(address));
    await remind(uuid);
    await tell();
    expect(subjects()).toEqual(['1 purring kom ikke fram']);
    const first = await newestMail();
    expect(first.text).toMatch(/Purring på faktura 1:\s+Sen AS: E-postadressen finnes ikke/);
    expect(first.text).toContain('http://faktur.test/invoices/1/');
    await anHourLater();
    await remind(other);
    await send('Åse', 'nei2@example.no');
    await tell();
    expect(subjects().at(-1)).toBe('2 forsendelser kom ikke fram');
    expect((await newestMail()).text).toContain('http://faktur.test/invoices/?status=FAILED');
  });

  // QUO-15
  test('of a quote, in the same mail', async () => {
    const customer = await createCustomer(client, { name: 'Åse', email: 'nei1@example.no' });
    const quote = await sendQuote(customer);
    await tell();
    expect(subjects()).toEqual(['1 tilbud kom ikke fram']);
    const { text } = await newestMail();
    expect(text).toContain('Det ble ikke levert til kunden, og blir ikke sendt igjen av seg selv');
    expect(text).toMatch(/Tilbud 1:\s+Åse: E-postadressen finnes ikke/);
    expect(text).toContain('Eller gi kunden det som PDF.');
    expect(text).toContain(`http://faktur.test/quotes/${quote}/?company=`);
    await anHourLater();
    await tell();
    expect(mails()).toHaveLength(1);
    await sendQuote(customer);
    await sendQuote(customer);
    await send('To', 'nei2@example.no');
    await tell();
    expect(subjects().at(-1)).toBe('3 forsendelser kom ikke fram');
    const both = (await newestMail()).text;
    expect(both).toMatch(/Faktura 1:\s+To: [^]*Tilbud 2:\s+Åse: [^]*Tilbud 3:\s+Åse: /);
    expect(both).toContain('http://faktur.test/invoices/?status=FAILED');
    // The first mail of an hour waits for the next.
    await sendQuote(customer);
    await sendQuote(customer);
    await tell();
    expect(mails()).toHaveLength(2);
    await anHourLater();
    await reportFailures(testApp.context, { companyId: null }, QUOTE_FAILURES);
    await until(subjects, (found) => found.length === 3);
    expect((await newestMail()).text).toMatch(/faktur\.test\/quotes\/\?company=[\da-f-]{36}\s/);
  });

  test('of one of several addresses of a quote', async () => {
    const invoiceEmails = ['ja@example.no', 'nei1@example.no'];
    const customer = await createCustomer(client, { name: 'Åse', invoice_emails: invoiceEmails });
    await sendQuote(customer, 'SENT');
    await tell();
    expect(subjects()).toEqual(['Noe er i veien med 1 tilbud']);
    const { text } = await newestMail();
    expect(text).toContain('Det kom ikke fram til alle adressene');
    expect(text).toMatch(/Åse: nei1@example.no: E-postadressen/);
  });

  test('not of a quote that was mailed again, answered or withdrawn meanwhile', async () => {
    const customer = await createCustomer(client, { name: 'Åse', email: 'nei1@example.no' });
    const [again, declined, withdrawn] = [
      await sendQuote(customer),
      await sendQuote(customer),
      await sendQuote(customer),
    ];
    const act = async (uuid: string, action: string, body = {}) =>
      expect((await client.post(`/api/quotes/${uuid}/${action}/`, body)).status).toBe(200);
    await act(again, 'send', { recipient: 'ja@example.no' });
    await act(declined, 'decline');
    await act(withdrawn, 'withdraw');
    await tell();
    expect(mails()).toEqual([]);
    // An order confirmation is mailed to where the quote went.
    const accepted = await sendQuote(customer);
    await act(accepted, 'accept', { name: 'Kari', send_confirmation: true });
    await untilQuote(accepted, 'FAILED', 2);
    await tell();
    expect(subjects()).toEqual(['1 ordrebekreftelse kom ikke fram']);
    expect((await newestMail()).text).toMatch(/Ordrebekreftelse på tilbud 4:\s+Åse: /);
  });

  test('once, and of what fails later after an hour', async () => {
    await send('En', 'nei1@example.no');
    await tell();
    await tell();
    await send('To', 'nei2@example.no');
    await tell();
    expect(subjects()).toEqual(['1 faktura kom ikke fram']);
    await anHourLater();
    await tell();
    await anHourLater();
    await tell();
    expect(subjects()).toEqual(['1 faktura kom ikke fram', '1 faktura kom ikke fram']);
    expect((await newestMail()).text).toMatch(/Faktura 2:\s+To: /);
  });

  test('once more in the same words when nobody knows whether the mail arrived', async () => {
    await send('En', 'nei1@example.no');
    smtp.faults.loseAnswerTo = (address) => address === companyEmail;
    await expect(tell()).rejects.toThrow(MailError);
    await send('To', 'nei2@example.no');
    smtp.faults.loseAnswerTo = null;
    await tell();
    const [first, second, ...more] = mails();
    expect(more).toEqual([]);
    expect(second?.messageId).toBe(first?.messageId);
    expect(subjects()).toEqual(['1 faktura kom ikke fram', '1 faktura kom ikke fram']);
    await anHourLater();
    await tell();
    expect(mails().at(-1)?.messageId).not.toBe(first?.messageId);
    expect((await newestMail()).text).toMatch(/Faktura 2:\s+To: /);
  });

  test('by one mail when several workers tell at once', async () => {
    await send('En', 'nei1@example.no');
    await Promise.all([tell(), tell(), tell()]);
    expect(new Set(mails().map(({ messageId }) => messageId)).size).toBe(1);
  });

  test('not of what was sent again, paid or cancelled meanwhile', async () => {
    const again = await send('Igjen', 'nei1@example.no');
    const paid = await send('Betalt', 'nei2@example.no');
    const cancelled = await send('Kansellert', 'nei3@example.no');
    await client.post(`/api/invoices/${paid}/update/`, { status: 'PAID' });
    await client.delete(`/api/invoices/${cancelled}/`);
    refuse(() => false);
    await client.post(`/api/invoices/${again}/deliveries/`, {
      delivery_type: 'EMAIL',
      recipient: 'ny@example.no',
    });
    await untilDelivered(again);
    await tell();
    expect(mails()).toEqual([]);
  });

  test('of a paid invoice that was sent again by hand, on the page that has it', async () => {
    const [one, other] = [await sendPaid(), await sendPaid()];
    await sendAgain(one, 'nei1@example.no');
    await tell();
    expect(subjects()).toEqual(['1 faktura kom ikke fram']);
    const first = await newestMail();
    expect(first.text).toMatch(/Faktura 1:\s+Betalt: E-postadressen finnes ikke/);
    expect(first.text).toContain('http://faktur.test/invoices/1/');
    await anHourLater();
    await sendAgain(one, 'nei1@example.no');
    await sendAgain(other, 'nei2@example.no');
    await tell();
    // No list has paid invoices that failed.
    expect((await newestMail()).text).toMatch(/faktur\.test\/invoices\/\?company=[\da-f-]{36}\s/);
    await anHourLater();
    await sendAgain(one, 'nei1@example.no');
    await send('Åse', 'nei2@example.no');
    await tell();
    expect(subjects().at(-1)).toBe('2 fakturaer kom ikke fram');
    expect((await newestMail()).text).toContain('http://faktur.test/invoices/?status=FAILED');
  });

  test('with what can be done about it', async () => {
    const { db } = testApp.context;
    const one = await send('Som EHF AS', 'nei1@example.no');
    const idOf = sql`(SELECT id FROM invoice WHERE uuid = ${one})`;
    await sql`UPDATE delivery SET delivery_type = 'EHF' WHERE invoice_id = ${idOf}`.execute(db);
    await tell();
    const ehf = (await newestMail()).text;
    expect(ehf).toContain('Det som ikke gikk som EHF, kan sendes på e-post. Eller gi kunden den');
    expect(ehf).not.toContain('Rett adressen');
    // A mail that was reported as spam has arrived.
    await sql`UPDATE delivery SET owner_told = false, delivery_type = 'EMAIL', sent_time = now(),
      may_have_arrived = true WHERE invoice_id = ${idOf}`.execute(db);
    await anHourLater();
    await tell();
    expect(subjects().at(-1)).toBe('Noe er i veien med 1 faktura');
    const complaint = (await newestMail()).text;
    expect(complaint).toContain('Den ble sendt, og blir ikke sendt igjen av seg selv:');
    expect(complaint).toContain('Avtal med kunden hvordan det skal komme fram.');
    await send('Åse', 'nei2@example.no');
    await sql`UPDATE delivery SET owner_told = false WHERE company_id = ${companyId}`.execute(db);
    await anHourLater();
    await tell();
    expect(subjects().at(-1)).toBe('2 fakturaer kom ikke fram');
    expect((await newestMail()).text).toContain('Noe av dette ble ikke levert, og blir ikke sendt');
  });

  test('not of a reminder that was mailed again and paid meanwhile', async () => {
    const uuid = await late('sen3@example.no');
    const reminder = await remind(uuid, 'SENT');
    refuse((address) => address.startsWith('sen'));
    const path = `/api/invoices/${uuid}/reminders/`;
    expect((await client.post(`${path}${reminder}/deliveries/`, {})).status).toBe(201);
    await until(
      async () => (await client.get(path)).body[0].delivery_status,
      (status) => status === 'FAILED',
    );
    await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
    await tell();
    expect(subjects()).toEqual([]);
  });

  test('not at an address that takes no mail', async () => {
    await sql`INSERT INTO suppressed_address (email, reason) VALUES (${companyEmail}, 'BOUNCE')`.execute(
      testApp.context.db,
    );
    await send('En', 'nei1@example.no');
    await tell();
    await sql`DELETE FROM suppressed_address WHERE email = ${companyEmail}`.execute(
      testApp.context.db,
    );
    await anHourLater();
    await tell();
    expect(mails()).toEqual([]);
  });

  test('not again and again at one that refuses', async () => {
    await send('En', 'nei1@example.no');
    refuse((address) => address === companyEmail);
    await tell();
    refuse(() => false);
    await tell();
    expect(mails()).toEqual([]);
  });

  test('by the job that looks for all who are to be told', async () => {
    await send('En', 'nei1@example.no');
    await reportFailures(testApp.context, { companyId: null }, QUOTE_FAILURES);
    await until(subjects, (found) => found.length > 0);
    await reportFailures(testApp.context, { companyId: null }, QUOTE_FAILURES);
    await until(
      async () => testApp.context.jobs.depths(),
      (depths) => !depths.some(({ name }) => name === 'failure-notice'),
    );
    expect(subjects()).toEqual(['1 faktura kom ikke fram']);
  });

  test('of many by the first of them and how many more there are', async () => {
    const uuid = await send('En', 'nei1@example.no');
    const { db } = testApp.context;
    await sql`UPDATE delivery SET owner_told = true WHERE company_id = ${companyId}`.execute(db);
    await sql`INSERT INTO failure_notice (company_id, uuid, delivery_ids)
      SELECT ${companyId}, gen_random_uuid(), array_fill(delivery.id, ARRAY[25])
      FROM delivery JOIN invoice ON invoice.id = delivery.invoice_id WHERE invoice.uuid = ${uuid}
      ON CONFLICT (company_id) DO UPDATE SET uuid = excluded.uuid,
        delivery_ids = excluded.delivery_ids`.execute(db);
    await tell();
    expect(subjects()).toEqual(['25 fakturaer kom ikke fram']);
  });
});

// DEL-18
describe('the list of what failed', () => {
  test('has what is to be sent again, and counts it', async () => {
    const failed = await send('En', 'nei1@example.no');
    await send('Kommer fram AS', 'ja@example.no');
    const paid = await send('Betalt', 'nei2@example.no');
    await client.post(`/api/invoices/${paid}/update/`, { status: 'PAID' });
    const list = async () => {
      const { body } = await client.get('/api/invoices/?status=FAILED');
      return [body.count, body.results.map((invoice: { uuid: string }) => invoice.uuid)];
    };
    expect(await list()).toEqual([1, [failed]]);
    await client.post(`/api/invoices/${paid}/update/`, { status: 'REGISTERED' });
    expect(await list()).toEqual([2, [paid, failed]]);
    const { body } = await client.get('/api/invoices/?status=FAILED&sort=customer');
    expect(body.results.map((invoice: { uuid: string }) => invoice.uuid)).toEqual([paid, failed]);
    await client.delete(`/api/invoices/${paid}/`);
    // Its credit note needs not be sent, since the invoice never arrived.
    expect(await list()).toEqual([1, [failed]]);
    refuse(() => false);
    await client.post(`/api/invoices/${failed}/deliveries/`, { delivery_type: 'EMAIL' });
    await untilDelivered(failed);
    expect(await list()).toEqual([0, []]);
  });
});

describe('with members', () => {
  /** Adds a member without a mail. Returns its address. */
  async function addMember(
    name: string,
    role: 'OWNER' | 'EMPLOYEE',
    endsOn: string | null = null,
  ): Promise<string> {
    const email = `${name}${companies}@example.no`;
    await testApp.login(email);
    const { db } = testApp.context;
    const { id: accountId } = await db
      .selectFrom('account')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await db.insertInto('member').values({ companyId, accountId, email, role, endsOn }).execute();
    return email;
  }

  /** The recipients of each mail that telling sends. */
  async function recipientsOf(work: () => Promise<unknown>): Promise<string[][]> {
    const before = smtp.mails.length;
    await work();
    return smtp.mails.slice(before).map(({ to }) => [...to].toSorted());
  }

  test('one mail goes to the company and to every owner, and to nobody else', async () => {
    const second = await addMember('leder', 'OWNER');
    await addMember('medarbeider', 'EMPLOYEE');
    await addMember('forrige', 'OWNER', '2020-01-01');
    await send('En', 'nei1@example.no');
    const all = [`eier${companies}@example.no`, companyEmail, second].toSorted();
    expect(await recipientsOf(tell)).toEqual([all]);
    expect(await recipientsOf(tell)).toEqual([]);
  });

  test('an address that refuses or has bounced keeps it from nobody else, and nobody gets it twice', async () => {
    const [second, third] = [await addMember('leder', 'OWNER'), await addMember('tredje', 'OWNER')];
    await suppress(testApp.context.db, third, 'BOUNCE');
    await send('En', 'nei1@example.no');
    refuse((address) => address === companyEmail);
    const left = [`eier${companies}@example.no`, second].toSorted();
    expect(await recipientsOf(tell)).toEqual([left]);
    refuse(() => false);
    expect(await recipientsOf(tell)).toEqual([]);
  });

  // MEM-17
  test('an owner who was refused for the moment gets it later, alone and unless removed meanwhile', async () => {
    const { db } = testApp.context;
    const [second, third] = [await addMember('leder', 'OWNER'), await addMember('tredje', 'OWNER')];
    await send('En', 'nei1@example.no');
    const tries = new Map<string, number>();
    smtp.faults.refuseRecipient = (address) => {
      tries.set(address, (tries.get(address) ?? 0) + 1);
      const isDelayed = address === second || address === third;
      return isDelayed ? { code: 451, text: '4.7.1 Greylisted' } : null;
    };
    const before = smtp.mails.length;
    await tell();
    const everybody = [`eier${companies}@example.no`, companyEmail].toSorted();
    expect(smtp.mails.slice(before).map(({ to }) => [...to].toSorted())).toEqual([everybody]);
    // With all, and once more by the job of each.
    await until(
      async () => [second, third].map((address) => tries.get(address) ?? 0),
      (counts) => counts.every((count) => count >= 2),
    );
    await db
      .deleteFrom('member')
      .where('companyId', '=', companyId)
      .where('email', '=', third)
      .execute();
    smtp.faults.refuseRecipient = null;
    await until(
      async () => {
        await sql`UPDATE jobs.job SET start_after = now() WHERE name = 'notice'`.execute(db);
        const { rows } = await sql<{ state: string }>`
          SELECT state FROM jobs.job WHERE name = 'notice'`.execute(db);
        return rows.map(({ state }) => state);
      },
      (states) => states.length === 2 && states.every((state) => state === 'completed'),
    );
    const [first, later, ...others] = await Promise.all(smtp.mails.slice(before).map(readMail));
    expect(smtp.mails.at(-1)?.to).toEqual([second]);
    expect(others).toEqual([]);
    expect([later?.messageId, later?.subject, later?.text]).toEqual([
      first?.messageId,
      first?.subject,
      first?.text,
    ]);
  });

  test('an owner whose address is the company’s too gets it once', async () => {
    const owner = `eier${companies}@example.no`;
    await completeProfile(client, { email: owner.toUpperCase() });
    await send('En', 'nei1@example.no');
    expect((await recipientsOf(tell)).map((to) => to.length)).toEqual([1]);
  });

  test('that are off, the company’s address alone', async () => {
    await addMember('leder', 'OWNER');
    await send('En', 'nei1@example.no');
    const config = { ...testApp.context.config, features: new Set<Feature>() };
    const off = async () =>
      reportFailures({ ...testApp.context, config }, { companyId }, QUOTE_FAILURES);
    expect(await recipientsOf(off)).toEqual([[companyEmail]]);
  });
});
