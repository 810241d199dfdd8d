import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';

import { headerText, nameInSubject } from '../mail/outgoing-mail.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/client.ts';
import {
  addQuote,
  completeProfile,
  createCustomer,
  createDraft,
  createTemplate,
  CUSTOMER,
  invoiceBody,
  line,
  LINES,
  PROFILE,
  quoteBody,
  register,
} from '../../testing/factories.ts';
import {
  readWithPoppler,
  removeFolder,
  temporaryFolder,
  type ReadPdf,
} from '../../testing/poppler.ts';
import { readMail } from '../../testing/mails.ts';
import { startMailServer, type MailServer } from '../../testing/smtp-server.ts';

/** Typical hostile input for text fields. */
const TRICKS = {
  script: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  attribute: '" onmouseover="alert(1)" x="',
  template: '${7*7} {{7*7}} <%= 7*7 %> #{7*7}',
  formula: "=cmd|' /C calc'!A0",
  header: '"Kari" <alle@example.no>, %0d%0aBcc: alle@example.no =?utf-8?q?=0d=0aBcc:_x?=',
  path: '../../../etc/passwd',
  sql: "Robert'); DROP TABLE invoice; --",
  xml: ']]></cbc:Name><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;&amp;&#60;',
  typst: '#read("/etc/passwd") #eval("1") $x$ `raw` @ref <label> \\u{41}',
  percent: '%s%n%x%d {0} %00',
  rightToLeft: 'Kari \u202Egpj.exe\u202C Nordmann',
  zeroWidth: 'Ka\u200Bri\u200D\uFEFF Nordmann',
  // Composed, as it is stored.
  combining: `Kari${'\u0301'.repeat(40)} Z\u0351\u036B\u0343`.normalize('NFC'),
  emoji: '👩‍👩‍👧 🇳🇴 𝕳𝖊𝖎',
} as const;

/** Input that cannot be stored and must be refused. */
const REFUSED = {
  newHeader: 'Kari\r\nBcc: alle@example.no',
  loneSurrogate: 'Kari \uD800 Nordmann',
  null: 'Kari\u0000Nordmann',
};

const SEARCHES = ['/api/customers/search/', '/api/customers/groups/search/', '/api/invoices/'];
const TEMPLATES = '/api/invoices/template/create/';
const INVOICES = '/api/invoices/create/';
const QUOTES = '/api/quotes/create/';
const TEMPLATE = { name: 'Kontingent', delivery_type: 'NONE', due_days: 30, lines: LINES };
const HARMLESS = 'Kari Nordmann';
const PLAIN_ASCII = /^[ -~]*$/;

let smtp: MailServer;
let testApp: TestApp;
let harmless: Shapes;
let harmlessOffer: readonly string[][];
let folder: string;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ FEATURES: 'quotes', SMTP_URL: smtp.url });
  folder = temporaryFolder();
  const stored = await fillEveryField(HARMLESS);
  harmless = shapesOf(await send(stored));
  harmlessOffer = tagsOfOffer(await offer(stored, HARMLESS));
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
  removeFolder(folder);
});

/** Stored data with the hostile text in every text field. */
interface Stored {
  readonly client: TestClient;
  readonly customer: number;
  readonly address: string;
  readonly group: string;
  readonly template: number;
}

/** The part of a hostile text that fits in a field of fixed length, without trailing space. */
function fit(trick: string, length: number): string {
  const letters = Array.from(trick.replaceAll(/\s/g, '_'));
  return Array.from({ length }, (_, index) => letters[index] ?? '_').join('');
}

let customers = 0;

async function fillEveryField(trick: string): Promise<Stored> {
  const client = await testApp.login();
  await completeProfile(client, {
    company_name: trick,
    email: `firma${customers + 1}@example.no`,
    billing_address1: trick,
    billing_address2: trick,
    billing_postal_code: fit(trick, 5),
    billing_city: trick,
  });
  const address = `kunde${++customers}@example.no`;
  const customer = await createCustomer(client, {
    name: trick,
    email: address,
    phone_number: fit(trick, 8),
    address1: trick,
    address2: trick,
    postal_code: trick,
    city: trick,
  });
  const created = await client.post('/api/customers/groups/create/', {
    group_name: trick,
    customers: [customer],
  });
  const template = await createTemplate(client, {
    name: trick,
    delivery_type: 'EMAIL',
    lines: [line(trick, 100, 25)],
  });
  return { client, customer, address, group: created.body.uuid, template };
}

/** The output of one registered and mailed invoice. */
interface Sent {
  readonly number: number;
  readonly mail: Email;
  readonly raw: string;
  readonly xml: string;
  readonly pdf: ReadPdf;
  readonly pdfHeaders: Record<string, unknown>;
}

async function send({ client, customer, address, template }: Stored): Promise<Sent> {
  const uuid = await createDraft(client, customer, {
    template_id: template,
    reference: (await client.get(`/api/customers/${customer}/`)).body.name,
  });
  const number = await register(client, uuid);
  const pdf = await testApp.app.http.inject({
    url: `/invoices/${uuid}/pdf/`,
    headers: { cookie: client.cookieHeader },
  });
  expect(pdf.statusCode).toBe(200);
  return {
    number,
    ...(await mailTo(address)),
    xml: (await client.get(`/api/invoices/${uuid}/efaktura/`)).text,
    pdf: readWithPoppler(folder, pdf.rawPayload),
    pdfHeaders: pdf.headers,
  };
}

/** The output of a quote that is accepted at its link, and of one that is declined. */
interface Offered {
  readonly uuid: string;
  /** The page before and after the answer. */
  readonly pages: readonly string[];
  /** The quote and its confirmation, and the notices of both answers. */
  readonly mails: readonly Email[];
  readonly pdfs: readonly ReadPdf[];
}

async function offer(
  { client, customer, address }: Pick<Stored, 'client' | 'customer' | 'address'>,
  trick: string,
): Promise<Offered> {
  const texts = { title: trick, reference: trick, message: trick, terms: trick };
  const fields = { ...texts, lines: [line(trick, 100, 25)] };
  const send = async () => {
    const { uuid } = await addQuote(client, customer, fields);
    const { status, body } = await client.post(`/api/quotes/${uuid}/send/`, {});
    expect(status).toBe(200);
    return { uuid, path: new URL((body as { url: string }).url).pathname };
  };
  const { uuid, path } = await send();
  const other = await send();
  const visitor = testApp.visitor();
  const page = async () => (await visitor.get(path)).text;
  const before = await page();
  const answer = async (of: string, body: object) =>
    visitor.post(of.replace('/tilbud/', '/api/offers/'), { revision: 1, ...body });
  expect((await answer(`${path}accept/`, { name: trick })).body).toMatchObject({
    answered_by: trick,
    title: trick,
  });
  expect((await answer(`${other.path}decline/`, { reason: trick })).status).toBe(200);
  const company = address.replace('kunde', 'firma');
  return {
    uuid,
    pages: [before, await page()],
    mails: await Promise.all([
      mailWith(address, 'Tilbud 1 fra'),
      mailWith(address, 'Ordrebekreftelse – tilbud 1 fra'),
      mailWith(company, 'Tilbud 1 er godtatt'),
      mailWith(company, 'Tilbud 2 er avslått'),
    ]),
    pdfs: await Promise.all(
      [`/quotes/${uuid}/pdf/`, `/quotes/${uuid}/confirmation/pdf/`].map(async (url) => {
        const headers = { cookie: client.cookieHeader };
        const pdf = await testApp.app.http.inject({ url, headers });
        expect(pdf.statusCode).toBe(200);
        return readWithPoppler(folder, pdf.rawPayload);
      }),
    ),
  };
}

async function mailWith(address: string, subject: string): Promise<Email> {
  return readMail(
    await smtp.waitForMail((mail) => mail.to.includes(address) && mail.subject.startsWith(subject)),
  );
}

const tagsOfOffer = ({ pages, mails }: Offered) =>
  [...pages, ...mails.map(({ html }) => html ?? '')].map(tagsOf);

/** The markup of documents: tags without attribute values, and header names. */
interface Shapes {
  readonly html: string[];
  readonly xml: string[];
  readonly headers: string[];
}

function shapesOf({ mail, raw, xml }: Sent): Shapes {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
  return {
    html: tagsOf(mail.html ?? ''),
    xml: tagsOf(xml),
    headers: [...head.matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name),
  };
}

function tagsOf(markup: string): string[] {
  return (markup.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
}

/** A text as XML writes it, without characters that XML forbids. */
function inXml(text: string): string {
  const single = text.replaceAll(/\s+/g, ' ').trim();
  return single.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function mailTo(address: string): Promise<{ mail: Email; raw: string }> {
  const caught = await smtp.waitForMail(
    ({ to, subject }) => to.includes(address) && subject.startsWith('Faktura'),
  );
  return { mail: await readMail(caught), raw: caught.raw.toString('latin1') };
}

/** A text without spaces and break opportunities, which layout changes. */
function withoutSpace(text: string): string {
  return text.replaceAll(/[\s\u200B]/g, '');
}

describe.each(Object.entries(TRICKS))('%s in every field', (_, trick) => {
  let stored: Stored;
  beforeAll(async () => {
    stored = await fillEveryField(trick);
  });

  test('stays text in JSON, mail, XML and PDF', async () => {
    const { client, customer, group, template, address } = stored;
    const read = async (path: string) => {
      const answer = await client.get(path);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      return answer.body;
    };
    expect(await read('/api/users/profile/')).toMatchObject({
      company_name: trick,
      billing_address2: trick,
      billing_postal_code: fit(trick, 5),
    });
    const buyer = { name: trick, address1: trick, postal_code: trick, phone_number: fit(trick, 8) };
    expect(await read(`/api/customers/${customer}/`)).toMatchObject(buyer);
    expect(await read(`/api/customers/groups/${group}/`)).toMatchObject({
      group_name: trick,
      customers: [buyer],
    });
    expect(await read(`/api/invoices/template/${template}/`)).toMatchObject({
      name: trick,
      lines: [{ description: trick }],
    });

    const sent = await send(stored);
    // The same elements, attributes and headers as a harmless invoice.
    expect(shapesOf(sent)).toEqual(harmless);
    const { mail, number, pdf, pdfHeaders, xml } = sent;
    expect(mail.to).toEqual([{ address, name: headerText(trick) }]);
    expect(mail.subject).toBe(`Faktura ${number} fra ${nameInSubject(trick)}`);
    expect(withoutSpace(mail.text ?? '')).toContain(withoutSpace(headerText(trick)));
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([
      `Faktura-${number}.pdf`,
      `Faktura-${number}.xml`,
    ]);
    expect(Object.keys(create(xml).end({ format: 'object' }))).toEqual(['Invoice']);
    expect(xml).toContain(`>${inXml(trick)}<`);

    expect(pdfHeaders['content-type']).toBe('application/pdf');
    expect(pdfHeaders['content-disposition']).toBe(`inline; filename="Faktura-${number}.pdf"`);
    expect(pdf.info()).toMatch(/^JavaScript: +no$/m);
    expect(pdf.info('-url').trim().split('\n')).toHaveLength(1);
    const text = withoutSpace(pdf.text('reading'));
    expect(text).toContain(String(number));
    expect(text).not.toContain('root:');
    // poppler reorders letters of other scripts.
    expect(text).toContain(PLAIN_ASCII.test(trick) ? withoutSpace(trick) : '');
  }, 180_000);

  // QUO-11, QUO-14, QUO-37
  test('stays text in quotes, at their links, and in what is mailed of them', async () => {
    const { client } = stored;
    const offered = await offer(stored, trick);
    const { uuid, mails, pages, pdfs } = offered;
    expect(tagsOfOffer(offered)).toEqual(harmlessOffer);
    const texts = { title: trick, reference: trick, message: trick, terms: trick };
    const list = await client.get(`/api/quotes/?query=${encodeURIComponent(trick.slice(0, 100))}`);
    expect(list.status).toBe(200);
    expect((await client.get('/api/quotes/')).body.results).toHaveLength(2);
    expect((await client.get(`/api/quotes/${uuid}/`)).body).toMatchObject({
      ...texts,
      customer_name: trick,
      answered_by: trick,
      lines: [{ description: trick }],
    });
    const { body: history } = await client.get(`/api/quotes/${uuid}/history/`);
    expect(history).toContainEqual(
      expect.objectContaining({ kind: 'ACCEPTED', by: { type: 'CUSTOMER', name: trick } }),
    );
    expect(mails[0]?.subject).toBe(`Tilbud 1 fra ${nameInSubject(trick)}`);
    expect(mails[0]?.to).toMatchObject([{ name: headerText(trick) }]);
    for (const { text } of mails) {
      expect(withoutSpace(text ?? '')).toContain(withoutSpace(headerText(trick)));
    }
    for (const page of pages) expect(page).not.toContain('<script');
    for (const pdf of pdfs) {
      const text = withoutSpace(pdf.text('reading'));
      expect(text).not.toContain('root:');
      expect(text).toContain(PLAIN_ASCII.test(trick) ? withoutSpace(trick) : '');
    }
    // The confirmation has all of the quote's texts, and the name besides.
    const confirmation = pdfs.at(-1);
    expect(confirmation?.complaints()).toEqual([]);
    expect(confirmation?.info()).toMatch(/^JavaScript: +no$/m);
    expect(confirmation?.info('-url').trim().split('\n')).toHaveLength(1);
  }, 180_000);

  test('is not interpreted by the search', async () => {
    const { client } = stored;
    const query = encodeURIComponent(trick.slice(0, 100));
    for (const path of SEARCHES) {
      expect((await client.get(`${path}?query=${query}`)).status).toBe(200);
    }
    expect((await client.get('/api/customers/')).body).toHaveLength(1);
  });
});

describe.each(Object.entries({ ...TRICKS, ...REFUSED }))(
  '%s where an address belongs',
  (_, trick) => {
    test('is refused', async () => {
      const client = await testApp.login();
      const query = encodeURIComponent(trick.toWellFormed());
      const answers = [
        await client.post('/api/users/register/email/', { email: trick }),
        await client.post('/api/users/login/email/', { email: trick }),
        await client.post('/api/users/login/verify/', {
          email: trick,
          registration_token: 'AAAAAA',
        }),
        await client.post(`/api/newsletter/signup/?email=${query}`),
        await client.post('/api/customers/create/', { ...CUSTOMER, email: trick }),
        await client.post('/api/users/update/', { ...PROFILE, email: trick }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    });
  },
);

/** Every text field, with a call that stores only that field. */
const TEXT_FIELDS: [name: string, path: string, body: (text: string) => object][] = [
  ...['name', 'address1', 'address2', 'postal_code', 'city', 'org_number', 'phone_number'].map(
    (field): (typeof TEXT_FIELDS)[number] => [
      `customer ${field}`,
      '/api/customers/create/',
      (text) => ({ ...CUSTOMER, [field]: text }),
    ],
  ),
  ...[
    'company_name',
    'org_number',
    'billing_address1',
    'billing_address2',
    'billing_postal_code',
    'billing_city',
  ].map((field): (typeof TEXT_FIELDS)[number] => [
    `profile ${field}`,
    '/api/users/update/',
    (text) => ({ ...PROFILE, [field]: text }),
  ]),
  [
    'profile bank account',
    '/api/users/update/',
    (text) => ({ ...PROFILE, bank_accounts: [{ bank_account_number: text, is_primary: true }] }),
  ],
  ['group', '/api/customers/groups/create/', (text) => ({ group_name: text, customers: [1] })],
  ['template name', TEMPLATES, (text) => ({ ...TEMPLATE, name: text })],
  ['template line', TEMPLATES, (text) => ({ ...TEMPLATE, lines: [line(text, 1, 25)] })],
  ['invoice reference', INVOICES, (text) => invoiceBody([1], { reference: text })],
  ...['title', 'reference'].map((field): (typeof TEXT_FIELDS)[number] => [
    `quote ${field}`,
    QUOTES,
    (text) => quoteBody(1, { [field]: text }),
  ]),
  ['quote line', QUOTES, (text) => quoteBody(1, { lines: [line(text, 1, 25)] })],
  ['invoice line', INVOICES, (text) => invoiceBody([1], { invoice_lines: [line(text, 1, 25)] })],
];

describe('input that cannot be stored', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await testApp.login();
    await completeProfile(client);
    await createCustomer(client);
  });

  test.each(TEXT_FIELDS)('is refused in %s', async (_, path, body) => {
    for (const trick of Object.values(REFUSED)) {
      const answer = await client.post(path, body(trick));
      expect(answer.status).toBe(400);
      expect(answer.text).not.toMatch(/postgres|syntax|stack|node_modules/i);
    }
  });

  test('is refused in a search', async () => {
    for (const path of SEARCHES) {
      expect((await client.get(`${path}?query=a%00b`)).status).toBe(400);
    }
  });
});
