import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  addQuote,
  completeProfile,
  createCustomer,
  line,
  quoteBody,
  type QuoteAnswer,
} from '../testing/factories.ts';
import { reportFailures } from '../delivery/failure-notice.service.ts';
import { QUOTE_FAILURES } from './quote-failure.service.ts';
import { readMail } from '../testing/mails.ts';
import { readWithPoppler, removeFolder, temporaryFolder } from '../testing/poppler.ts';
import { findMiscounted } from '../testing/quote-counts.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

const clock = vi.hoisted(() => ({ today: '' }));
vi.mock(import('../../domain/date.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    todayInOslo: (now?: Date) => (now ? original.todayInOslo(now) : clock.today),
  };
});

const folder = temporaryFolder();
let smtp: MailServer;
let testApp: TestApp;
let owner: TestClient;
let customer: number;
let people = 0;

beforeAll(async () => {
  smtp = await startMailServer();
  const FEATURES = 'quotes,attachments';
  testApp = await startTestApp({ FEATURES, SMTP_URL: smtp.url, REQUESTS_PER_MINUTE: '0' });
});
afterAll(async () => {
  expect(await findMiscounted(testApp.context.db)).toEqual([]);
  await testApp.close();
  await smtp.close();
  removeFolder(folder);
});
beforeEach(async () => {
  clock.today = '2027-03-01';
  smtp.faults.refuseRecipient = null;
  owner = await testApp.login(`tilbyder${++people}@example.no`);
  await completeProfile(owner, {
    company_name: 'Snekker Andersen AS',
    email: `post${people}@snekker.example`,
  });
  customer = await createCustomer(owner, { name: 'Kari Nes', email: `kari${people}@example.no` });
});

const urlOf = ({ uuid }: Pick<QuoteAnswer, 'uuid'>) => `/api/quotes/${uuid}/`;
const send = async (quote: Pick<QuoteAnswer, 'uuid'>, body = {}) =>
  owner.post(`${urlOf(quote)}send/`, body);
const read = async (quote: Pick<QuoteAnswer, 'uuid'>) => (await owner.get(urlOf(quote))).body;
const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));
const kindsOf = async (quote: Pick<QuoteAnswer, 'uuid'>): Promise<string[]> =>
  (await owner.get(`${urlOf(quote)}history/`)).body.map(({ kind }: { kind: string }) => kind);

async function shown(uuid: string) {
  const cookie = owner.cookieHeader;
  const url = `/quotes/${uuid}/pdf/`;
  const answer = await testApp.app.http.inject({ url, headers: { cookie } });
  expect(answer.statusCode).toBe(200);
  return answer;
}

async function pdfOf(uuid: string): Promise<Buffer> {
  return (await shown(uuid)).rawPayload;
}

async function textOf(uuid: string): Promise<string> {
  const pdf = readWithPoppler(folder, await pdfOf(uuid));
  expect(pdf.complaints()).toEqual([]);
  return pdf.text().replaceAll(/\s+/g, ' ');
}

// QUO-10, QUO-11, QUO-14
test('a quote is frozen with its number, and mailed with its PDF', async () => {
  const draft = await addQuote(owner, customer, {
    title: 'Nytt bad',
    message: 'Hei!\n\nSom avtalt.',
  });
  const { status, body } = await send(draft);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    quote_number: 1,
    state: 'SENT',
    revision: 1,
    sent_at: expect.any(String),
    gross_amount: 1250,
    deliveries: [{ status: 'QUEUED', recipient: `kari${people}@example.no` }],
  });
  const { deliveries } = await until(
    async () => read(draft),
    (quote) => quote.deliveries[0].status === 'SENT',
  );
  expect(deliveries[0].sent_time).toEqual(expect.any(String));
  const [caught] = mailsTo(`kari${people}@example.no`);
  const mail = await readMail(caught?.raw ?? Buffer.alloc(0));
  expect(mail.subject).toBe('Tilbud 1 fra Snekker Andersen AS');
  expect(mail.text).toMatch(/1\s250,00 kr/u);
  expect(mail.text).not.toMatch(/faktura/i);
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['Tilbud-1.pdf']);
  expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer)).toEqual(await pdfOf(draft.uuid));
  expect(await kindsOf(draft)).toEqual(['SENT', 'CREATED']);
  // The company and the customer change, and the document does not.
  await completeProfile(owner, { company_name: 'Annet navn AS' });
  expect(await textOf(draft.uuid)).toContain('Snekker Andersen AS');
  expect(
    (await owner.put(urlOf(draft), { ...quoteBody(customer), version: body.version })).status,
  ).toBe(409);
  expect((await owner.delete(urlOf(draft))).text).toContain('SENT');
});

// QUO-2, QUO-11
test('the PDF says what is offered, to whom, until when, and what the kind of price binds to', async () => {
  const person = await createCustomer(owner, {
    name: 'Per Li',
    email: 'per@example.no',
    is_private: true,
    org_number: null,
  });
  const draft = await addQuote(owner, person, {
    price_kind: 'ESTIMATE',
    valid_until: '2027-03-31',
    terms: 'Vi tar forbehold om råte.\n\nBetaling etter utført arbeid.',
  });
  const before = await textOf(draft.uuid);
  expect(before).toContain('UTKAST');
  await send(draft);
  const text = await textOf(draft.uuid);
  for (const said of [
    'TILBUD',
    'Prisoverslag',
    'Gyldig til 31.03.2027',
    'Sum inkl. mva 1 250,00',
    'Forbehold og vilkår',
    'Vi tar forbehold om råte.',
    'med mer enn 15 prosent (håndverkertjenesteloven § 32).',
  ]) {
    expect(text).toContain(said);
  }
  expect(text.indexOf('Sum inkl. mva')).toBeLessThan(text.indexOf('Sum eks. mva'));
  expect(text).not.toMatch(/faktura|kontonummer|KID/i);
  for (const [price_kind, name] of [
    ['FIXED', 'Fast pris'],
    ['INDICATION', 'Uforpliktende prisantydning'],
  ]) {
    const other = await textOf((await addQuote(owner, person, { price_kind })).uuid);
    expect(other).toContain(name);
    // Only an estimate has the limit of the law.
    expect(other).not.toContain('15 prosent');
  }
});

// QUO-10
test('numbers have no gap and no twin, also when two are sent at once', async () => {
  const quotes = await Promise.all([1, 2, 3].map(async () => addQuote(owner, customer)));
  const sent = await Promise.all([...quotes, ...quotes].map(async (quote) => send(quote)));
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  const numbers = await Promise.all(quotes.map(async (quote) => (await read(quote)).quote_number));
  expect(new Set(numbers)).toEqual(new Set([1, 2, 3]));
});

// QUO-20
test('quotes that are sent and revised at once are counted, and none waits for another for good', async () => {
  const drafts = await Promise.all([1, 2, 3, 4].map(async () => addQuote(owner, customer)));
  const sent = await Promise.all([1, 2, 3, 4].map(async () => addQuote(owner, customer)));
  for (const quote of sent) await send(quote);
  const answers = await Promise.all([
    ...drafts.map(async (quote) => send(quote)),
    ...sent.map(async (quote) => owner.post(`${urlOf(quote)}revise/`, {})),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const { count, summary } = (await owner.get('/api/quotes/?state=SENT')).body;
  expect([count, summary]).toEqual([4, expect.objectContaining({ drafts: 4, sent: 4 })]);
  clock.today = '2100-01-01';
  const later = (await owner.get('/api/quotes/?state=EXPIRED')).body;
  expect([later.count, later.summary]).toEqual([
    4,
    expect.objectContaining({ drafts: 4, sent: 0, expired: 4 }),
  ]);
});

// QUO-12
describe('a quote is not sent', () => {
  const expired = { valid_until: '2027-02-28' };
  test.each([
    ['after its last day', expired],
    ['with a negative total', { lines: [line('Avslag', -1, 25)] }],
    ['with characters that cannot be printed', { title: 'Bad \u{13000}' }],
  ])('%s', async (_, changes) => {
    const draft = await addQuote(owner, customer, changes);
    expect((await send(draft)).status).toBe(409);
    expect(await read(draft)).toMatchObject({ state: 'DRAFT', quote_number: null });
  });

  test('without an address, but to a typed one', async () => {
    const nameless = await createCustomer(owner, { name: 'Uten', email: null });
    const draft = await addQuote(owner, nameless);
    expect((await send(draft)).status).toBe(409);
    expect((await send(draft, { recipient: 'typed@example.no' })).body.deliveries).toMatchObject([
      { recipient: 'typed@example.no' },
    ]);
  });
});

// QUO-13
test('a sent quote is mailed again, five times an hour with the first', async () => {
  const draft = await addQuote(owner, customer);
  const statuses = [];
  for (let times = 0; times < 6; times += 1) statuses.push((await send(draft)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(await read(draft)).toMatchObject({ quote_number: 1, revision: 1 });
});

// QUO-3, QUO-18
test('the last day counts whole; what has expired is revised or withdrawn', async () => {
  const draft = await addQuote(owner, customer, { valid_until: '2027-03-05' });
  await send(draft);
  clock.today = '2027-03-05';
  expect(await read(draft)).toMatchObject({ state: 'SENT' });
  clock.today = '2027-03-06';
  expect(await read(draft)).toMatchObject({ state: 'EXPIRED' });
  const { body: found } = await owner.get('/api/quotes/?state=EXPIRED');
  expect(found).toMatchObject({ count: 1, summary: { sent: 0, expired: 1 } });
  const refused = await send(draft);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('EXPIRED')]);
  const withdrawn = await owner.post(`${urlOf(draft)}withdraw/`);
  expect(withdrawn.body).toMatchObject({ state: 'WITHDRAWN', quote_number: 1 });
  for (const call of ['send/', 'revise/', 'withdraw/']) {
    expect((await owner.post(`${urlOf(draft)}${call}`, {})).text).toContain('WITHDRAWN');
  }
  expect((await owner.delete(`/api/customers/${customer}/`)).status).toBe(204);
  expect(await read(draft)).toMatchObject({ customer_number: null, customer_name: 'Kari Nes' });
});

// QUO-11, QUO-16, QUO-17
test('a further revision stands beside the sent one until it is sent or dropped', async () => {
  const draft = await addQuote(owner, customer, { title: 'Første' });
  expect((await owner.post(`${urlOf(draft)}revise/`)).status).toBe(409);
  const { body: sent } = await send(draft);
  const revise = async () => (await owner.post(`${urlOf(draft)}revise/`)).body;
  const revised = await revise();
  expect(revised).toMatchObject({
    state: 'DRAFT',
    revision: 2,
    sent_revision: 1,
    sent_state: 'SENT',
    quote_number: 1,
    title: 'Første',
  });
  const change = { ...quoteBody(customer, { title: 'Andre' }), version: revised.version };
  expect((await owner.put(urlOf(draft), change)).body).toMatchObject({
    title: 'Andre',
    revision: 2,
  });
  expect((await owner.delete(urlOf(draft))).status).toBe(204);
  expect(await read(draft)).toMatchObject({
    state: 'SENT',
    revision: 1,
    sent_revision: null,
    title: 'Første',
    lines: [{ id: sent.lines[0].id }],
  });
  await revise();
  const { body: second } = await send(draft);
  expect(second).toMatchObject({ state: 'SENT', revision: 2, quote_number: 1, sent_state: null });
  expect(await textOf(draft.uuid)).toContain('Versjon 2');
  const { headers } = await shown(draft.uuid);
  expect(headers['content-disposition']).toContain('"Tilbud-1-versjon-2.pdf"');
  expect(await kindsOf(draft)).toEqual([
    'SENT',
    'REVISED',
    'CHANGED',
    'REVISED',
    'SENT',
    'CREATED',
  ]);
});

// QUO-15
test('a mail that fails is on its delivery, in the history, and told to the company', async () => {
  smtp.faults.refuseRecipient = (address) =>
    address.startsWith('kari') ? { code: 550, text: '5.1.1 No such user' } : null;
  const draft = await addQuote(owner, customer);
  await send(draft);
  await until(
    async () => read(draft),
    ({ deliveries }) => deliveries[0].status === 'FAILED',
  );
  expect(await read(draft)).toMatchObject({ state: 'SENT' });
  expect(await kindsOf(draft)).toEqual(['FAILED', 'SENT', 'CREATED']);
  const { context } = testApp;
  // The clock, too, may tell it meanwhile.
  await reportFailures(context, { companyId: null }, QUOTE_FAILURES);
  const [notice] = await until(
    async () => Promise.resolve(mailsTo(`post${people}@snekker.example`)),
    (mails) => mails.length > 0,
  );
  const { subject } = await readMail(notice?.raw ?? Buffer.alloc(0));
  expect(subject).toBe('1 tilbud kom ikke fram');
});

// QUO-12, QUO-19
test('a quote whose mail would have more than 20 MB is not sent', async () => {
  const MB = 1024 * 1024;
  const lines = Array.from({ length: 160 }, () => line('x'.repeat(1000), 1, 25));
  const draft = await addQuote(owner, customer, { lines });
  const url = `${urlOf(draft)}attachments/`;
  const upload = async (size: number) =>
    owner.send({
      method: 'POST',
      url: `${url}?name=${size}.pdf`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from('%PDF-1.4\n%%EOF\n'.padStart(size, '%PDF-1.4\n')),
    });
  expect((await upload(4 * MB)).status).toBe(201);
  expect((await upload(5 * MB)).status).toBe(201);
  expect((await upload(MB)).text).toContain('and 9 MB in all');
  expect(await send(draft)).toMatchObject({
    status: 409,
    text: expect.stringMatching(
      /The mail would be 2\d\.\d MB; at most 20 MB can be sent/,
    ) as string,
  });
  const { version, ...kept } = await read(draft);
  expect(kept).toMatchObject({ state: 'DRAFT', quote_number: null });
  expect((await owner.put(urlOf(draft), { ...quoteBody(customer), version })).status).toBe(200);
  // The server does not take the 12 MB, for which the next mails would wait.
  smtp.faults.refuseRecipient = () => ({ code: 550, text: '5.1.1 No such user' });
  expect((await send(draft)).status).toBe(200);
  await until(
    async () => read(draft),
    ({ deliveries }) => deliveries[0].status === 'FAILED',
  );
});

// QUO-19
test('files go along with a quote, are frozen with it, and begin its next revision', async () => {
  const draft = await addQuote(owner, customer);
  const url = `${urlOf(draft)}attachments/`;
  const upload = async () =>
    owner.send({
      method: 'POST',
      url: `${url}?name=tegning.pdf`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'),
    });
  const added = await upload();
  expect([added.status, added.body.name]).toEqual([201, 'tegning.pdf']);
  expect((await upload()).body.name).not.toBe('tegning.pdf');
  const [, second] = (await owner.get(url)).body;
  expect((await owner.delete(`${url}${second.uuid}/`)).status).toBe(204);
  await send(draft);
  expect((await upload()).status).toBe(409);
  expect((await owner.delete(`${url}${added.body.uuid}/`)).status).toBe(409);
  expect((await owner.get(`${url}${added.body.uuid}/`)).text).toContain('%PDF-1.4');
  const [caught] = await until(
    async () => Promise.resolve(mailsTo(`kari${people}@example.no`)),
    (mails) => mails.length > 0,
  );
  const { attachments } = await readMail(caught?.raw ?? Buffer.alloc(0));
  expect(attachments.map(({ filename }) => filename)).toEqual(['Tilbud-1.pdf', 'tegning.pdf']);
  await owner.post(`${urlOf(draft)}revise/`);
  const copied = (await owner.get(url)).body;
  expect(copied).toMatchObject([{ name: 'tegning.pdf', sha256: added.body.sha256 }]);
  expect((await owner.delete(`${url}${copied[0].uuid}/`)).status).toBe(204);
});
