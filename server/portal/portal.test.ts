import { createHash } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { lateInvoice } from '../testing/late-invoices.ts';
import { loginCodeIn, readMail } from '../testing/mails.ts';
import { addReminderClaims } from '../testing/payments.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { withStatements } from '../testing/statements.ts';
import { until } from '../testing/until.ts';

const TODAY = todayInOslo();
const SETTINGS = '/api/users/portal-settings/';
const LINK_HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

let smtp: MailServer;
let testApp: TestApp;
let owner: TestClient;
let companyId: number;
let people = 0;
let log = '';

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp(
    {
      FEATURES: 'portal,reminders,payments,credit,attachments',
      SMTP_URL: smtp.url,
      REQUESTS_PER_MINUTE: '0',
      LOG_LEVEL: 'debug',
    },
    { logStream: { write: (line) => (log += line) } },
  );
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
beforeEach(async () => {
  await testApp.context.db.deleteFrom('rateLimit').execute();
  const email = `side${++people}@example.no`;
  owner = await testApp.login(email);
  await completeProfile(owner, { company_name: 'Øst & <b>Vest</b> AS' });
  companyId = await companyIdOf(testApp.context.db, email);
});

async function issue(changes: object = {}, customer: object = {}): Promise<string> {
  const uuid = await createDraft(owner, await createCustomer(owner, customer), changes);
  await register(owner, uuid);
  return uuid;
}

async function tokenOf(uuid: string): Promise<string> {
  const { body } = await owner.get(`/api/invoices/${uuid}/link/`);
  return /\/kunde\/([a-z2-7]{32})\/$/.exec(body.url)?.[1] ?? 'none';
}

/** The data at the link of an invoice. */
async function dataOf(uuid: string, client = testApp.visitor()) {
  const { status, body } = await client.get(`/api/portal/${await tokenOf(uuid)}/`);
  expect(status).toBe(200);
  return body;
}

async function pageOf(uuid: string): Promise<string> {
  return (await testApp.visitor().get(`/kunde/${await tokenOf(uuid)}/`)).text;
}

async function pay(uuid: string, amount: number, date = TODAY): Promise<void> {
  const paid = await owner.post('/api/payments/', { invoice_uuid: uuid, amount, date });
  expect(paid.status).toBe(201);
}

/** The text of a page, without its markup. */
const words = (page: string) =>
  page
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('\u00A0', ' ')
    .replaceAll(/\s+/g, ' ');

// PORT-7, PORT-10
describe('the page', () => {
  test('shows what is to be paid, and the data says the same', async () => {
    const uuid = await issue({ message: 'Takk for handelen\nHilsen oss' });
    const { body: invoice } = await owner.get(`/api/invoices/${uuid}/`);
    const token = await tokenOf(uuid);
    expect(await dataOf(uuid)).toEqual({
      seller: {
        name: 'Øst & <b>Vest</b> AS',
        org_number: '123456785',
        vat_registered: true,
        address: 'Storgata 1\n0155 Oslo',
        email: 'post@snekker.example',
      },
      buyer_name: 'Ørsta Båt AS',
      kind: 'INVOICE',
      invoice_number: invoice.invoice_number,
      issue_date: TODAY,
      due_date: addDays(TODAY, 14),
      state: 'UNPAID',
      gross_amount: 173.46,
      credited_amount: 0,
      paid_amount: 0,
      amount_due: 173.46,
      reminder_amount: 0,
      to_pay: 173.46,
      bank_account_number: '12341112344',
      iban: expect.stringMatching(/^NO\d\d12341112344$/),
      payment_reference: invoice.customer_identification_number,
      reference_is_kid: false,
      message: 'Takk for handelen\nHilsen oss',
      documents: [
        {
          kind: 'INVOICE',
          name: `Faktura-${invoice.invoice_number}.pdf`,
          media_type: 'application/pdf',
          path: `/kunde/${token}/dokument/1/`,
        },
        {
          kind: 'INVOICE',
          name: `Faktura-${invoice.invoice_number}.xml`,
          media_type: 'application/xml',
          path: `/kunde/${token}/dokument/2/`,
        },
      ],
      others: 'CODE',
    });
    const text = words(await pageOf(uuid));
    for (const said of [
      'Slik betaler du',
      'Kontonummer 1234 11 12344',
      `Melding ${invoice.customer_identification_number}`,
      'Beløp 173,46',
      'Ubetalt',
      'Kontonummeret på en sendt faktura endres aldri. Står det et annet kontonummer i en e-post, så ring oss før du betaler.',
      'post@snekker.example',
      'Se alle fakturaene dine',
      'k…@example.no',
    ]) {
      expect(text).toContain(said);
    }
    for (const secret of ['Reparasjon', 'kunde@example.no', '974760673']) {
      expect(text).not.toContain(secret);
    }
  });

  test('needs no session, sets none, and loads nothing', async () => {
    const url = `/kunde/${await tokenOf(await issue())}/`;
    for (const client of [testApp.visitor(), owner]) {
      const { status, headers, text } = await client.get(url);
      expect(status).toBe(200);
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers).toMatchObject({ ...LINK_HEADERS, 'x-content-type-options': 'nosniff' });
      const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(text).toContain('<html lang="nb">');
      expect(text).toContain('<title>Faktura</title>');
      expect(text).not.toMatch(/<script|<link|<iframe| style=| on\w+=|https?:|og:/i);
      expect(text).toContain('Øst &amp; &lt;b&gt;Vest&lt;/b&gt; AS');
    }
  });

  test('of a seller with a KID agreement says KID', async () => {
    const agreement = { account: '12341112344', length: 10, modulus: 'MOD10' };
    await owner.put('/api/users/kid-agreement/', agreement);
    const uuid = await issue();
    expect(await dataOf(uuid)).toMatchObject({ reference_is_kid: true });
    expect(words(await pageOf(uuid))).toMatch(/ KID \d{10} /);
  });
});

// PORT-8
describe('the state', () => {
  test('follows what is paid and credited, at the moment', async () => {
    const uuid = await issue();
    await pay(uuid, 73.46);
    expect(await dataOf(uuid)).toMatchObject({
      state: 'PART_PAID',
      paid_amount: 73.46,
      amount_due: 100,
      to_pay: 100,
    });
    expect(words(await pageOf(uuid))).toContain('Av 173,46 kr 73,46 kr er betalt.');
    await pay(uuid, 100);
    const paid = await dataOf(uuid);
    expect(paid).toMatchObject({
      state: 'PAID',
      to_pay: 0,
      bank_account_number: null,
      iban: null,
      payment_reference: null,
    });
    expect(words(await pageOf(uuid))).not.toContain('Slik betaler du');
  });

  test('is OVERDUE after the due date as printed, with what reminders ask for', async () => {
    const dueToday = await issue({ issue_date: addDays(TODAY, -14) });
    expect((await dataOf(dueToday)).state).toBe('UNPAID');
    const uuid = await issue({ issue_date: addDays(TODAY, -60) });
    await addReminderClaims(testApp.context.db, companyId, uuid, { fee: 35 });
    await pay(uuid, 50);
    expect(await dataOf(uuid)).toMatchObject({
      state: 'OVERDUE',
      amount_due: 123.46,
      reminder_amount: 35,
      to_pay: 158.46,
    });
    expect(words(await pageOf(uuid))).toContain('Purregebyr og renter er 35,00 kr av beløpet.');
  });

  test('is CREDITED with its credit notes among the documents', async () => {
    const uuid = await issue();
    await owner.delete(`/api/invoices/${uuid}/`);
    const data = await dataOf(uuid);
    expect(data).toMatchObject({ state: 'CREDITED', credited_amount: 173.46, to_pay: 0 });
    const kinds = data.documents.map(({ kind, name }: Record<string, string>) => [kind, name]);
    const { credit_note: note } = (await owner.get(`/api/invoices/${uuid}/`)).body;
    expect(kinds.slice(2)).toEqual([
      ['CREDIT_NOTE', `Kreditnota-${note.invoice_number}.pdf`],
      ['CREDIT_NOTE', `Kreditnota-${note.invoice_number}.xml`],
    ]);
  });

  test('of 0,00 is PAID', async () => {
    const line = {
      invoiced_quantity: 1,
      description: 'Gratis',
      net_unit_amount: 0,
      vat_rate_percentage: 25,
    };
    expect(await dataOf(await issue({ invoice_lines: [line] }))).toMatchObject({
      state: 'PAID',
      to_pay: 0,
    });
  });
});

// PORT-9
describe('documents', () => {
  async function fileAt(path: string, client = testApp.visitor()) {
    const answer = await testApp.app.http.inject({
      url: path,
      headers: { cookie: client.cookieHeader },
    });
    return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
  }

  test('are the files as they were issued, each to save', async () => {
    const customer = await createCustomer(owner);
    const draft = await createDraft(owner, customer);
    await owner.send({
      method: 'POST',
      url: `/api/invoices/${draft}/attachments/?name=Timeliste.pdf`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from('%PDF-1.7\n%%EOF\n'),
    });
    await register(owner, draft);
    await pay(draft, 173.46);
    const { documents } = await dataOf(draft);
    expect(documents.map(({ kind }: { kind: string }) => kind)).toEqual([
      'INVOICE',
      'INVOICE',
      'ATTACHMENT',
    ]);
    const [pdf, ehf, attached] = await Promise.all(
      documents.map(async ({ path }: { path: string }) => fileAt(path)),
    );
    // Without 'KOPI', as it was issued, also after it was paid.
    const original = await fileAt(`/invoices/${draft}/pdf/?original=true`, owner);
    expect(pdf?.bytes.equals(original.bytes)).toBe(true);
    const { headers: kept } = await fileAt(`/api/invoices/${draft}/efaktura/`, owner);
    expect(kept).toBeDefined();
    expect(ehf?.bytes.toString()).toContain('<Invoice');
    expect(attached?.bytes.toString()).toBe('%PDF-1.7\n%%EOF\n');
    for (const file of [pdf, ehf, attached]) {
      expect(file?.status).toBe(200);
      expect(file?.headers).toMatchObject({
        ...LINK_HEADERS,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
        'content-disposition': expect.stringMatching(/^attachment; /),
      });
    }
    expect(attached?.headers['content-disposition']).toBe('attachment; filename="Timeliste.pdf"');
    const base = `/kunde/${await tokenOf(draft)}/dokument`;
    for (const place of ['0', '4', '01', 'x', '-1', '1.5', '9'.repeat(40)]) {
      expect([place, (await fileAt(`${base}/${place}/`)).status]).toEqual([place, 404]);
    }
  });

  test('are also the reminders that were sent', async () => {
    const uuid = await lateInvoice(testApp.context.db, owner, { dueDate: addDays(TODAY, -20) });
    const kinds = async () =>
      (await dataOf(uuid)).documents.map(({ name }: { name: string }) => name.split('-')[0]);
    expect(await kinds()).toEqual(['Faktura', 'Faktura']);
    const friendly = { kind: 'REMINDER', fee: false, interest: false };
    expect((await owner.post(`/api/invoices/${uuid}/reminders/`, friendly)).status).toBe(201);
    await until(
      async () => (await owner.get(`/api/invoices/${uuid}/reminders/`)).body,
      ([reminder]) => reminder.delivery_status === 'SENT',
    );
    expect((await kinds()).at(-1)).toBe('Betalingspåminnelse');
    const { documents } = await dataOf(uuid);
    const { status, bytes } = await fileAt(documents.at(-1).path);
    expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
  });

  test('are not made by a look at their headers', async () => {
    const uuid = await issue();
    const token = await tokenOf(uuid);
    const url = `/kunde/${token}/dokument/1/`;
    const head = await testApp.visitor().send({ method: 'HEAD', url });
    expect(head).toMatchObject({ status: 200, text: '' });
    const made = await testApp.context.db
      .selectFrom('documentFile')
      .select('format')
      .where('companyId', '=', companyId)
      .execute();
    expect(made).toEqual([]);
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      expect((await testApp.visitor().send({ method, url })).status).toBe(404);
    }
  });
});

// PORT-5
describe('links that do not work', () => {
  test('get one answer, after the same statements', async () => {
    const renewed = await issue();
    const gone = [await tokenOf(renewed)];
    await owner.post(`/api/invoices/${renewed}/link/renew/`);
    const ended = await issue({ issue_date: addDays(TODAY, -500) });
    await pay(ended, 173.46, addDays(TODAY, -450));
    gone.push(await tokenOf(ended));
    owner = await testApp.login(`av${people}@example.no`);
    await completeProfile(owner);
    gone.push(await tokenOf(await issue()));
    await owner.put(SETTINGS, { enabled: false, show_all: true });
    const wrong = ['a'.repeat(32), 'x', 'a'.repeat(3000), '%00', "'--", '%F0%9F%92%A9', '..%2f'];
    const texts = new Set<string>();
    const sent = new Set<string>();
    for (const token of [...gone, ...wrong]) {
      for (const path of [`/kunde/${token}/`, `/kunde/${token}/dokument/1/`]) {
        const { answer, statements } = await withStatements(async () =>
          testApp.visitor().get(path),
        );
        expect([path, answer.status]).toEqual([path, 404]);
        expect(answer.headers).toMatchObject(LINK_HEADERS);
        texts.add(answer.text);
        sent.add(statements.map(({ sql }) => sql).join(';'));
      }
      const data = await testApp.visitor().get(`/api/portal/${token}/`);
      expect([data.status, data.body.detail]).toEqual([404, [{ message: 'Not found' }]]);
    }
    expect([...texts]).toEqual([expect.stringContaining('Lenken virker ikke')]);
    expect(sent.size).toBe(1);
  });

  test('and those that do count together: 60 uses in ten minutes, then 429', async () => {
    const token = await tokenOf(await issue());
    const statuses: number[] = [];
    const paths = [
      `/kunde/${token}/`,
      `/api/portal/${token}/`,
      `/kunde/${'b'.repeat(32)}/`,
      `/api/portal/${token}/invoices/`,
    ];
    for (let use = 0; use < 64; use += 1) {
      statuses.push((await testApp.visitor().get(paths[use % 4] ?? '')).status);
    }
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200, 404, 403]));
    expect(new Set(statuses.slice(60))).toEqual(new Set([429]));
    const { headers } = await testApp.visitor().get(`/kunde/${token}/dokument/1/`);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  test('the token is in no log and no metric, however it is written', async () => {
    const token = await tokenOf(await issue());
    log = '';
    for (const path of [
      `/kunde/${token}/`,
      `//kunde/${token}/`,
      `/k%75nde/${token}/dokument/1/`,
      `/kunde/${token}/faktura/1/`,
      `/kunde/${token}`,
      `/api/portal/${token}/`,
      `/api/port%61l/${token}/invoices/`,
    ]) {
      await testApp.visitor().get(path);
    }
    await testApp.visitor().post(`/api/portal/${token}/code/`, {});
    expect(log).toContain('request completed');
    expect(log).not.toContain(token);
    expect((await testApp.visitor().get('/metrics')).text).not.toContain(token);
  });
});

/** Sends the form of the page as a browser does. */
async function submit(client: TestClient, token: string, fields: Record<string, string>) {
  return client.send({
    method: 'POST',
    url: `/kunde/${token}/kode/`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'same-origin',
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** The code of the next mail to an address. */
async function nextCode(address: string, ask: () => Promise<unknown>): Promise<string> {
  const before = smtp.mails.length;
  await ask();
  const caught = await smtp.waitForMail(
    (mail) =>
      smtp.mails.indexOf(mail) >= before &&
      mail.to.includes(address) &&
      loginCodeIn(mail.subject) !== undefined,
  );
  expect((await readMail(caught)).text).toContain('Fakturaene dine fra Øst & <b>Vest</b> AS');
  return loginCodeIn(caught.subject) ?? 'none';
}

/** A browser that was confirmed by the code, for a link of a customer with this address. */
async function confirmed(token: string, address: string): Promise<TestClient> {
  const client = testApp.visitor();
  const code = await nextCode(address, async () => {
    expect((await client.post(`/api/portal/${token}/code/`, {})).status).toBe(204);
  });
  expect((await client.post(`/api/portal/${token}/code/`, { code })).status).toBe(204);
  return client;
}

// PORT-11
describe('the code', () => {
  test('goes to the first address that the customer has now, and opens the page for a day', async () => {
    const number = await createCustomer(owner, { email: 'gammel@example.no' });
    const uuid = await createDraft(owner, number);
    await register(owner, uuid);
    const { body: customer } = await owner.get(`/api/customers/${number}/`);
    const changed = await owner.put(`/api/customers/${number}/update/`, {
      ...customer,
      invoice_emails: ['regnskap@kunde.example', 'andre@kunde.example'],
    });
    expect(changed.status).toBe(200);
    const token = await tokenOf(uuid);
    const visitor = testApp.visitor();
    const code = await nextCode('regnskap@kunde.example', async () => {
      const asked = await submit(visitor, token, {});
      expect([asked.status, asked.headers.location]).toEqual([
        303,
        `/kunde/${token}/?kode=sendt#fakturaer`,
      ]);
    });
    expect((await visitor.get(`/kunde/${token}/?kode=sendt`)).text).toContain('r…@kunde.example');
    const wrong = await submit(visitor, token, { code: 'AAAAAA' });
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([303, undefined]);
    const page = await visitor.get(wrong.headers.location ?? '');
    expect(page.text).toContain('role="alert"');
    const right = await submit(visitor, token, { code: ` ${code.toLowerCase()} ` });
    expect([right.status, right.headers.location]).toEqual([303, `/kunde/${token}/`]);
    const cookies = [right.headers['set-cookie'] ?? []].flat();
    expect(cookies.map((cookie) => cookie.replace(/=[^;]+/, ''))).toEqual([
      `faktur_kunde; Max-Age=86400; Path=/api/portal/${token}/; HttpOnly; SameSite=Lax`,
      `faktur_kunde; Max-Age=86400; Path=/kunde/${token}/; HttpOnly; SameSite=Lax`,
    ]);
    expect((await dataOf(uuid, visitor)).others).toBe('CONFIRMED');
    expect((await visitor.get(`/kunde/${token}/`)).text).toContain('Alle fakturaene dine');
    // Once.
    expect((await visitor.post(`/api/portal/${token}/code/`, { code })).status).toBe(400);
  });

  test('dies after five wrong tries, and a new one voids the one before', async () => {
    const email = 'prover@example.no';
    const token = await tokenOf(await issue({}, { email }));
    const visitor = testApp.visitor();
    const ask = async () => visitor.post(`/api/portal/${token}/code/`, {});
    const first = await nextCode(email, ask);
    const second = await nextCode(email, ask);
    expect((await visitor.post(`/api/portal/${token}/code/`, { code: first })).status).toBe(400);
    for (let time = 0; time < 4; time += 1) {
      await visitor.post(`/api/portal/${token}/code/`, { code: 'AAAAAA' });
    }
    expect((await visitor.post(`/api/portal/${token}/code/`, { code: second })).status).toBe(400);
  });

  test('is none without an address, for a deleted customer, and with show_all off', async () => {
    const uuid = await issue({}, { email: null });
    expect((await dataOf(uuid)).others).toBe('NONE');
    const token = await tokenOf(uuid);
    expect((await testApp.visitor().post(`/api/portal/${token}/code/`, {})).status).toBe(409);
    expect((await submit(testApp.visitor(), token, {})).status).toBe(409);
    expect((await testApp.visitor().get(`/api/portal/${token}/invoices/`)).status).toBe(403);
    const other = await issue({}, { email: 'slettes@example.no' });
    const confirmedBefore = await confirmed(await tokenOf(other), 'slettes@example.no');
    await owner.put(SETTINGS, { enabled: true, show_all: false });
    expect((await dataOf(other, confirmedBefore)).others).toBe('NONE');
    const list = `/api/portal/${await tokenOf(other)}/invoices/`;
    expect((await confirmedBefore.get(list)).status).toBe(403);
    await owner.put(SETTINGS, { enabled: true, show_all: true });
    expect((await confirmedBefore.get(list)).status).toBe(200);
    await pay(other, 173.46);
    const { customer_number: number } = (await owner.get(`/api/invoices/${other}/`)).body;
    expect((await owner.delete(`/api/customers/${number}/`)).status).toBe(204);
    expect((await confirmedBefore.get(list)).status).toBe(403);
    expect((await dataOf(other)).others).toBe('NONE');
  });

  test('is asked for by the page alone, not by another site', async () => {
    const token = await tokenOf(await issue());
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
    };
    const url = `/kunde/${token}/kode/`;
    const sent = await testApp.visitor().send({ method: 'POST', url, headers, payload: '' });
    expect(sent.status).toBe(404);
    const api = await testApp.visitor().send({
      method: 'POST',
      url: `/api/portal/${token}/code/`,
      headers: { origin: 'https://ond.example' },
      payload: {},
    });
    expect(api.status).toBe(403);
  });

  test('confirms for one link, until that is renewed', async () => {
    const email = 'flere@example.no';
    const number = await createCustomer(owner, { email });
    const uuids = [await createDraft(owner, number), await createDraft(owner, number)];
    for (const uuid of uuids) await register(owner, uuid);
    const [uuid = '', second = ''] = uuids;
    const client = await confirmed(await tokenOf(uuid), email);
    expect((await dataOf(uuid, client)).others).toBe('CONFIRMED');
    expect((await dataOf(second, client)).others).toBe('CODE');
    const old = await tokenOf(uuid);
    const renewed = await owner.post(`/api/invoices/${uuid}/link/renew/`);
    const token = renewed.body.url.split('/').at(-2);
    expect((await client.get(`/api/portal/${old}/`)).status).toBe(404);
    // Even a browser that sends the old confirmation to the new link is not confirmed by it.
    const cookie = client.cookieHeader;
    const sent = { method: 'GET', url: `/api/portal/${token}/`, headers: { cookie } } as const;
    expect((await testApp.visitor().send(sent)).body.others).toBe('CODE');
  });
});

// PORT-12
describe('the list', () => {
  test('has the documents of this customer alone, and leads to their pages', async () => {
    const email = 'liste@example.no';
    const number = await createCustomer(owner, { email });
    const add = async (changes: object = {}) => {
      const uuid = await createDraft(owner, number, changes);
      return { uuid, invoiceNumber: await register(owner, uuid) };
    };
    const first = await add({ issue_date: addDays(TODAY, -60) });
    const credited = await add();
    await createDraft(owner, number);
    const strangers = await issue({}, { name: 'En annen', email });
    await owner.delete(`/api/invoices/${credited.uuid}/`);
    const token = await tokenOf(first.uuid);
    const path = (invoiceNumber: number) => `/kunde/${token}/faktura/${invoiceNumber}/`;
    const visitor = testApp.visitor();
    expect((await visitor.get(`/api/portal/${token}/invoices/`)).status).toBe(403);
    expect((await visitor.get(path(credited.invoiceNumber))).status).toBe(403);
    const client = await confirmed(token, email);
    const { body } = await client.get(`/api/portal/${token}/invoices/`);
    const note = body.results[0];
    expect(body).toEqual({
      results: [
        {
          kind: 'CREDIT_NOTE',
          invoice_number: credited.invoiceNumber + 2,
          issue_date: TODAY,
          due_date: null,
          state: 'CREDITED',
          gross_amount: 173.46,
          to_pay: 0,
          path: path(credited.invoiceNumber),
        },
        {
          kind: 'INVOICE',
          invoice_number: credited.invoiceNumber,
          issue_date: TODAY,
          due_date: addDays(TODAY, 14),
          state: 'CREDITED',
          gross_amount: 173.46,
          to_pay: 0,
          path: path(credited.invoiceNumber),
        },
        {
          kind: 'INVOICE',
          invoice_number: first.invoiceNumber,
          issue_date: addDays(TODAY, -60),
          due_date: addDays(TODAY, -46),
          state: 'OVERDUE',
          gross_amount: 173.46,
          to_pay: 173.46,
          path: path(first.invoiceNumber),
        },
      ],
      next: null,
      previous: null,
      count: 3,
    });
    const page = await client.get(note.path);
    expect(page.status).toBe(200);
    expect(words(page.text)).toContain(`Faktura ${credited.invoiceNumber}`);
    const file = await client.get(`${note.path}dokument/1/`);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/pdf']);
    const { invoice_number: theirs } = (await owner.get(`/api/invoices/${strangers}/`)).body;
    for (const other of [theirs, 'x', '0', '9'.repeat(30), note.invoice_number]) {
      expect([other, (await client.get(`/kunde/${token}/faktura/${other}/`)).status]).toEqual([
        other,
        404,
      ]);
    }
    expect((await client.get(`${note.path}dokument/9/`)).status).toBe(404);
  });

  test('has 20 a page', async () => {
    const email = 'mange@example.no';
    const number = await createCustomer(owner, { email });
    const uuids: string[] = [];
    for (let many = 0; many < 21; many += 1) uuids.push(await createDraft(owner, number));
    for (const uuid of uuids) await register(owner, uuid);
    const token = await tokenOf(uuids[0] ?? '');
    const client = await confirmed(token, email);
    const path = `/api/portal/${token}/invoices/`;
    const { body } = await client.get(path);
    expect([body.results.length, body.next, body.count]).toEqual([20, `${path}?page=2`, 21]);
    const next = await client.get(body.next);
    expect([next.body.results.length, next.body.previous]).toEqual([1, `${path}?page=1`]);
    expect((await client.get(`/kunde/${token}/`)).text).toContain('?side=2#fakturaer');
    expect((await client.get(`/kunde/${token}/?side=2`)).text).toContain('?side=1#fakturaer');
    expect((await client.get(`/kunde/${token}/?side=x`)).status).toBe(200);
  });
});

// PORT-13
test('the statement is the one that the company sees, once the browser is confirmed', async () => {
  const email = 'utskrift@example.no';
  const number = await createCustomer(owner, { email });
  const uuid = await createDraft(owner, number);
  await register(owner, uuid);
  const token = await tokenOf(uuid);
  const paths = [`/api/portal/${token}/statement/`, `/kunde/${token}/kontoutskrift.pdf`];
  for (const path of paths) expect((await testApp.visitor().get(path)).status).toBe(403);
  const client = await confirmed(token, email);
  const days = `?from=${addDays(TODAY, -30)}&to=${TODAY}`;
  for (const query of ['', days]) {
    const { made_at: _, ...seen } = (await client.get(`${paths[0]}${query}`)).body;
    const own = await owner.get(`/api/customers/${number}/statement/${query}`);
    const { made_at: __, ...expected } = own.body;
    expect(seen).toEqual(expected);
    const pdf = await client.get(`${paths[1]}${query}`);
    expect(pdf.status).toBe(200);
    expect(pdf.headers).toMatchObject({
      ...LINK_HEADERS,
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Kontoutskrift-${number}-${TODAY}.pdf"`,
    });
  }
  for (const path of paths) {
    expect((await client.get(`${path}?from=${TODAY}`)).status).toBe(400);
    expect((await client.get(`${path}?from=${TODAY}&to=2999-01-01`)).status).toBe(400);
  }
  await owner.post(`/api/invoices/${uuid}/link/renew/`);
  for (const path of paths) expect((await client.get(path)).status).toBe(404);
});
