import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from 'kysely';

import { sha256 } from '../platform/crypto.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { addQuote, completeProfile, createCustomer } from '../testing/factories.ts';
import { loginCodeIn, readMail } from '../testing/mails.ts';
import { readWithPoppler } from '../testing/poppler.ts';
import { findMiscounted } from '../testing/quote-counts.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { withStatements } from '../testing/statements.ts';
import { until } from '../testing/until.ts';

const LINK_HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
};
const clock = vi.hoisted(() => ({ ahead: 0 }));
vi.mock(import('../../domain/date.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    todayInOslo: (now?: Date) => {
      const today = original.todayInOslo(now);
      return now === undefined ? original.addDays(today, clock.ahead) : today;
    },
  };
});
const { addDays, todayInOslo } = await import('../../domain/date.ts');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-offer-'));
let smtp: MailServer;
let testApp: TestApp;
let owner: TestClient;
let customer: number;
let companyId: number;
let people = 0;
let log = '';

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp(
    {
      FEATURES: 'quotes,attachments',
      SMTP_URL: smtp.url,
      REQUESTS_PER_MINUTE: '0',
      LOG_LEVEL: 'debug',
    },
    { logStream: { write: (line) => (log += line) } },
  );
});
afterAll(async () => {
  expect(await findMiscounted(testApp.context.db)).toEqual([]);
  await testApp.close();
  await smtp.close();
  fs.rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  clock.ahead = 0;
  await testApp.context.db.deleteFrom('rateLimit').execute();
  const email = `tilbud${++people}@example.no`;
  owner = await testApp.login(email);
  await completeProfile(owner, {
    company_name: 'Øst & <b>Vest</b> AS',
    email: `post${people}@snekker.example`,
  });
  customer = await createCustomer(owner, { name: 'Kari & Co', email: `kari${people}@example.no` });
  companyId = await companyIdOf(testApp.context.db, email);
});

/** The paths of a quote that was sent. */
interface Sent {
  readonly uuid: string;
  readonly token: string;
  readonly path: string;
}

async function send(uuid: string): Promise<Sent> {
  const { status, body } = await owner.post(`/api/quotes/${uuid}/send/`, {});
  expect([status, body.detail]).toEqual([200, undefined]);
  const token = /^http:\/\/faktur\.test\/tilbud\/([a-z2-7]{32})\/$/.exec(body.url)?.[1] ?? 'none';
  return { uuid, token, path: `/api/offers/${token}/` };
}

async function sentQuote(changes: object = {}): Promise<Sent> {
  return send((await addQuote(owner, customer, changes)).uuid);
}

/** Puts a file on a draft. */
async function attach(uuid: string): Promise<Buffer> {
  const content = Buffer.from('%PDF-1.7\n%%EOF\n');
  await sql`
    INSERT INTO quote_attachment (company_id, quote_id, revision, name, media_type, size, sha256, content)
    SELECT company_id, id, revision, 'Tegning.pdf', 'application/pdf', ${content.length}, ${sha256(content)}, ${content}
    FROM quote WHERE company_id = ${companyId} AND uuid = ${uuid}`.execute(testApp.context.db);
  return content;
}

const visitor = () => testApp.visitor();
const quoteOf = async ({ uuid }: Sent) => (await owner.get(`/api/quotes/${uuid}/`)).body;
const offerOf = async ({ path }: Sent) => (await visitor().get(path)).body;
const historyOf = async ({ uuid }: Sent) => (await owner.get(`/api/quotes/${uuid}/history/`)).body;
const accept = async ({ path }: Sent, changes: object = {}) =>
  visitor().post(`${path}accept/`, { revision: 1, name: 'Kari Nordmann', ...changes });
const decline = async ({ path }: Sent, changes: object = {}) =>
  visitor().post(`${path}decline/`, { revision: 1, ...changes });

/** Sends a form of the page as a browser does. */
async function submit(
  { token }: Sent,
  form: string,
  fields: Record<string, string> = {},
  site = 'same-origin',
) {
  return visitor().send({
    method: 'POST',
    url: `/tilbud/${token}/${form}/`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': site,
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** The text of a page, without its markup. */
const words = (page: string) =>
  page
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('\u00A0', ' ')
    .replaceAll(/\s+/g, ' ');

async function mailTo(address: string, subject: string) {
  return readMail(
    await smtp.waitForMail((mail) => mail.to.includes(address) && mail.subject.includes(subject)),
  );
}

async function takeCode(address: string): Promise<string> {
  const isCode = ({ to, subject }: { to: readonly string[]; subject: string }) =>
    to.includes(address) && loginCodeIn(subject) !== undefined;
  const mail = await smtp.waitForMail(isCode);
  smtp.mails.splice(smtp.mails.indexOf(mail), 1);
  return loginCodeIn(mail.subject) ?? '';
}

// QUO-30, QUO-31, QUO-32
describe('the link', () => {
  test('shows the quote as it was sent, as data and as a page', async () => {
    const draft = await addQuote(owner, customer, {
      price_kind: 'ESTIMATE',
      title: 'Nytt <bad>',
      message: 'Hei\nTakk sist',
      terms: 'Vi tar forbehold',
      valid_until: addDays(todayInOslo(), 30),
    });
    const pdf = await attach(draft.uuid);
    const sent = await send(draft.uuid);
    const { quote_number: number } = await quoteOf(sent);
    expect(await offerOf(sent)).toEqual({
      seller: {
        name: 'Øst & <b>Vest</b> AS',
        org_number: '123456785',
        vat_registered: true,
        address: 'Storgata 1\n0155 Oslo',
        email: `post${people}@snekker.example`,
      },
      customer_name: 'Kari & Co',
      quote_number: number,
      revision: 1,
      state: 'SENT',
      price_kind: 'ESTIMATE',
      title: 'Nytt <bad>',
      issue_date: todayInOslo(),
      valid_until: addDays(todayInOslo(), 30),
      message: 'Hei\nTakk sist',
      terms: 'Vi tar forbehold',
      lines: [
        {
          invoiced_quantity: 1,
          description: 'Arbeid',
          net_unit_amount: 1000,
          net_amount: 1000,
          vat_rate_percentage: 25,
        },
      ],
      net_amount: 1000,
      vat_amount: 250,
      gross_amount: 1250,
      confirm_by_code: false,
      pdf: `/tilbud/${sent.token}/pdf/`,
      attachments: [
        {
          name: 'Tegning.pdf',
          media_type: 'application/pdf',
          size: pdf.length,
          path: `/tilbud/${sent.token}/vedlegg/1/`,
        },
      ],
      answered_at: null,
      answered_by: null,
    });
    const page = await visitor().get(`/tilbud/${sent.token}/`);
    expect(page.headers).toMatchObject({
      ...LINK_HEADERS,
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
    });
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('Nytt &lt;bad&gt;');
    for (const said of [
      `Tilbud ${number}`,
      'Prisoverslag med mva 1 250,00 kr',
      'Forbehold og vilkår Vi tar forbehold',
      'Godta tilbudet',
      'Avslå tilbudet',
    ]) {
      expect(words(page.text)).toContain(said);
    }
    expect(page.text).not.toContain('betalingsplikt');
  });

  test('has the PDF and the attachments as files to save, which a look at the headers does not make', async () => {
    const draft = await addQuote(owner, customer);
    const attached = await attach(draft.uuid);
    const sent = await send(draft.uuid);
    const fileAt = async (path: string) =>
      testApp.app.http.inject({ url: `/tilbud/${sent.token}/${path}` });
    const pdf = await fileAt('pdf/');
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.headers['content-disposition']).toBe('attachment; filename="Tilbud-1.pdf"');
    expect((await fileAt('vedlegg/1/')).rawPayload.equals(attached)).toBe(true);
    for (const file of [pdf, await fileAt('vedlegg/1/')]) {
      expect(file.headers).toMatchObject({
        ...LINK_HEADERS,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      });
    }
    for (const place of ['0', '2', '01', 'x', '-1', '9'.repeat(40)]) {
      expect([place, (await fileAt(`vedlegg/${place}/`)).statusCode]).toEqual([place, 404]);
    }
    const head = await visitor().send({ method: 'HEAD', url: `/tilbud/${sent.token}/pdf/` });
    expect(head).toMatchObject({ status: 200, text: '' });
  });

  test('works through the 90th day after the last one, or after the answer', async () => {
    const sent = await sentQuote({ valid_until: addDays(todayInOslo(), 10) });
    expect((await quoteOf(sent)).expires_on).toBe(addDays(todayInOslo(), 100));
    clock.ahead = 10;
    expect((await offerOf(sent)).state).toBe('SENT');
    clock.ahead = 11;
    expect((await offerOf(sent)).state).toBe('EXPIRED');
    expect((await accept(sent)).status).toBe(409);
    expect((await decline(sent)).status).toBe(409);
    clock.ahead = 100;
    expect((await visitor().get(sent.path)).status).toBe(200);
    clock.ahead = 101;
    expect((await visitor().get(sent.path)).status).toBe(404);
    expect((await accept(sent)).status).toBe(404);
  });

  test('that is wrong or has ended gets one answer, after the same statements', async () => {
    const ended = await sentQuote({ valid_until: todayInOslo() });
    clock.ahead = 91;
    const wrong = ['a'.repeat(32), 'x', 'a'.repeat(3000), '%00', "'--", '%F0%9F%92%A9', '..%2f'];
    const texts = new Set<string>();
    const statementsOf = new Set<string>();
    for (const token of [ended.token, ...wrong]) {
      for (const path of ['', 'pdf/', 'vedlegg/1/']) {
        const { answer, statements } = await withStatements(async () =>
          visitor().get(`/tilbud/${token}/${path}`),
        );
        expect([path, answer.status]).toEqual([path, 404]);
        expect(answer.headers).toMatchObject(LINK_HEADERS);
        texts.add(answer.text);
        statementsOf.add(statements.map((one) => one.sql).join(';'));
      }
      const { answer, statements } = await withStatements(async () =>
        visitor().get(`/api/offers/${token}/`),
      );
      expect([answer.status, answer.body.detail]).toEqual([404, [{ message: 'Not found' }]]);
      statementsOf.add(statements.map((one) => one.sql).join(';'));
    }
    expect([...texts]).toEqual([expect.stringContaining('Lenken virker ikke')]);
    expect(statementsOf.size).toBe(1);
    for (const form of ['godta', 'avsla', 'kode']) {
      expect((await submit(ended, form, { revision: '1', name: 'Kari' })).status).toBe(404);
    }
  });

  test('is in no table, log or metric, and its uses count with those of all links', async () => {
    log = '';
    const sent = await sentQuote();
    for (const path of [
      `/tilbud/${sent.token}/`,
      `//tilbud/${sent.token}/pdf/`,
      `/t%69lbud/${sent.token}/vedlegg/1/`,
      `/api/off%65rs/${sent.token}/`,
    ]) {
      await visitor().get(path);
    }
    await accept(sent);
    await submit(sent, 'godta', { revision: '1' });
    expect(log).toContain('request completed');
    expect(log).not.toContain(sent.token);
    expect((await visitor().get('/metrics')).text).not.toContain(sent.token);
    const { rows } = await sql<{ row: string }>`
      SELECT to_jsonb(link)::text AS row FROM quote_link link
      WHERE company_id = ${companyId}`.execute(testApp.context.db);
    expect(rows).toEqual([{ row: expect.stringContaining(sha256(sent.token).toString('hex')) }]);
    expect(rows[0]?.row).not.toContain(sent.token);
    const statuses: number[] = [];
    for (let use = 0; use < 60; use += 1) {
      statuses.push((await visitor().get(use % 2 ? sent.path : '/tilbud/x/')).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await accept(sent)).status).toBe(429);
  });

  test('stays the same in further mails and revisions, and shows the newest that was sent', async () => {
    const sent = await sentQuote();
    const again = await owner.post(`/api/quotes/${sent.uuid}/send/`, {});
    expect(again.body.url).toContain(sent.token);
    await owner.post(`/api/quotes/${sent.uuid}/revise/`);
    expect(await offerOf(sent)).toMatchObject({ revision: 1, state: 'SENT' });
    expect((await send(sent.uuid)).token).toBe(sent.token);
    expect(await offerOf(sent)).toMatchObject({ revision: 2, state: 'SENT' });
    const mail = await mailTo(`kari${people}@example.no`, 'Tilbud 1');
    expect(mail.text).toContain(`/tilbud/${sent.token}/`);
    expect(mail.html).toContain(`/tilbud/${sent.token}/`);
  });
});

// QUO-34
describe('accepting', () => {
  test('is answered with the offer, told to the company, and kept', async () => {
    const sent = await sentQuote();
    const { status, body } = await accept(sent);
    expect([status, body]).toMatchObject([
      200,
      { state: 'ACCEPTED', answered_by: 'Kari Nordmann' },
    ]);
    expect(await quoteOf(sent)).toMatchObject({
      state: 'ACCEPTED',
      answered_how: 'LINK',
      answered_by: 'Kari Nordmann',
      answered_at: body.answered_at,
      answer_note: null,
      left_net: 1000,
    });
    expect(
      (await historyOf(sent)).map(({ kind, by }: { kind: string; by: object }) => [kind, by]),
    ).toContainEqual(['ACCEPTED', { type: 'CUSTOMER', name: 'Kari Nordmann' }]);
    // QUO-39
    const notice = await mailTo(`post${people}@snekker.example`, 'Tilbud 1 er godtatt');
    expect(notice.text).toContain('Kari Nordmann');
    expect(notice.text).toContain(`/quotes/${sent.uuid}/`);
    // Again, the same is no change, and another name is one.
    expect(await accept(sent)).toMatchObject({ status: 200, body });
    expect(await accept(sent, { name: 'Ola' })).toMatchObject({
      status: 409,
      body: { detail: [{ message: expect.stringContaining('ACCEPTED') }] },
    });
    expect((await decline(sent)).status).toBe(409);
    const kinds = (await historyOf(sent)).map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => kind === 'ACCEPTED')).toHaveLength(1);
  });

  test('with no name, one that is long or not printed, or half a revision is 400', async () => {
    const sent = await sentQuote();
    for (const [changes, field] of [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'ქართული' }, 'name'],
      [{ revision: null }, 'revision'],
      [{ revision: 1.5 }, 'revision'],
    ] as const) {
      const { status, body } = await accept(sent, changes);
      expect([changes, status, body.detail[0].field]).toEqual([changes, 400, field]);
    }
    expect((await offerOf(sent)).state).toBe('SENT');
  });

  test('an older revision, or one that is not sent yet, is 409', async () => {
    const sent = await sentQuote();
    await owner.post(`/api/quotes/${sent.uuid}/revise/`);
    expect((await accept(sent, { revision: 2 })).status).toBe(409);
    await send(sent.uuid);
    expect((await accept(sent)).status).toBe(409);
    expect((await accept(sent, { revision: 2 })).status).toBe(200);
  });

  test('what was withdrawn is 409, and the page says so', async () => {
    const sent = await sentQuote();
    await owner.post(`/api/quotes/${sent.uuid}/withdraw/`);
    expect(await accept(sent)).toMatchObject({
      status: 409,
      body: { detail: [{ message: expect.stringContaining('WITHDRAWN') }] },
    });
    expect(words((await visitor().get(`/tilbud/${sent.token}/`)).text)).toContain(
      'Tilbudet er trukket tilbake',
    );
  });

  // QUO-35
  test('drops the draft of a further revision', async () => {
    const sent = await sentQuote();
    await owner.post(`/api/quotes/${sent.uuid}/revise/`);
    expect(await quoteOf(sent)).toMatchObject({ state: 'DRAFT', revision: 2, sent_state: 'SENT' });
    expect((await accept(sent)).status).toBe(200);
    expect(await quoteOf(sent)).toMatchObject({ state: 'ACCEPTED', revision: 1, sent_state: null });
    expect((await owner.post(`/api/quotes/${sent.uuid}/send/`, {})).status).toBe(409);
  });

  // QUO-35
  test('and declining at once: one holds', async () => {
    for (let round = 0; round < 2; round += 1) {
      await testApp.context.db.deleteFrom('rateLimit').execute();
      const sent = await sentQuote();
      const answers = await Promise.all([
        accept(sent),
        decline(sent, { reason: 'For dyrt' }),
        accept(sent, { name: 'Ola' }),
        decline(sent),
        accept(sent),
      ]);
      const { state, answered_by: by, answer_note: note } = await quoteOf(sent);
      const holds = [
        state === 'ACCEPTED' && by === 'Kari Nordmann',
        state === 'DECLINED' && note === 'For dyrt',
        state === 'ACCEPTED' && by === 'Ola',
        state === 'DECLINED' && note === null,
        state === 'ACCEPTED' && by === 'Kari Nordmann',
      ];
      expect(answers.map(({ status }) => status)).toEqual(holds.map((one) => (one ? 200 : 409)));
      const kinds = (await historyOf(sent)).map(({ kind }: { kind: string }) => kind);
      expect(kinds.filter((kind: string) => /ACCEPTED|DECLINED/.test(kind))).toHaveLength(1);
    }
  });
});

// QUO-36
test('declining tells the company why, and may be said twice', async () => {
  const sent = await sentQuote();
  const { status, body } = await decline(sent, { reason: ' For dyrt\r\nfor oss ' });
  expect([status, body]).toMatchObject([200, { state: 'DECLINED', answered_by: null }]);
  expect(await quoteOf(sent)).toMatchObject({
    state: 'DECLINED',
    answered_how: 'LINK',
    answer_note: 'For dyrt\nfor oss',
  });
  expect((await historyOf(sent))[0]).toMatchObject({
    kind: 'DECLINED',
    by: { type: 'CUSTOMER', name: 'Kari & Co' },
    details: { reason: 'For dyrt\nfor oss' },
  });
  expect((await mailTo(`post${people}@snekker.example`, 'Tilbud 1 er avslått')).text).toContain(
    'For dyrt',
  );
  expect((await decline(sent, { reason: 'For dyrt\nfor oss' })).status).toBe(200);
  expect((await decline(sent, { reason: 'x'.repeat(1001) })).status).toBe(400);
  expect((await accept(sent)).status).toBe(409);
});

// QUO-33
describe('a code', () => {
  test('is needed where the quote says so, and is mailed to where it went', async () => {
    const address = `kari${people}@example.no`;
    const sent = await sentQuote({ confirm_by_code: true });
    expect((await accept(sent)).status).toBe(403);
    expect((await accept(sent, { code: 'AAAAAA' })).status).toBe(400);
    expect((await visitor().post(`${sent.path}code/`, {})).status).toBe(204);
    const first = await takeCode(address);
    expect((await visitor().post(`${sent.path}code/`, {})).status).toBe(204);
    const code = await takeCode(address);
    expect((await accept(sent, { code: first })).status).toBe(400);
    // The button was pressed more than once: whichever comes first uses up the code.
    const presses = Array.from({ length: 6 }, async () => accept(sent, { code }));
    expect((await Promise.all(presses)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    // The same once more needs none.
    expect((await accept(sent)).status).toBe(200);
    expect((await visitor().post(`${sent.path}code/`, {})).status).toBe(409);
  });

  // QUO-34
  test('is not used up when its answer is not kept', async () => {
    const sent = await sentQuote({ confirm_by_code: true });
    await visitor().post(`${sent.path}code/`, {});
    const code = await takeCode(`kari${people}@example.no`);
    const { jobs } = testApp.context;
    const failing = vi.spyOn(jobs, 'enqueue').mockRejectedValueOnce(new Error('it broke'));
    expect((await accept(sent, { code })).status).toBe(500);
    failing.mockRestore();
    expect(await offerOf(sent)).toMatchObject({ state: 'SENT' });
    expect((await accept(sent, { code })).status).toBe(200);
  });

  test('is not needed to decline, and not mailed without need', async () => {
    const plain = await sentQuote();
    expect((await visitor().post(`${plain.path}code/`, {})).status).toBe(409);
    expect((await accept(plain, { code: 'AAAAAA' })).status).toBe(200);
    expect((await decline(await sentQuote({ confirm_by_code: true }))).status).toBe(200);
  });

  test('of another quote opens nothing', async () => {
    const one = await sentQuote({ confirm_by_code: true });
    const other = await sentQuote({ confirm_by_code: true });
    await visitor().post(`${one.path}code/`, {});
    const code = await takeCode(`kari${people}@example.no`);
    expect((await accept(other, { code })).status).toBe(400);
    expect((await accept(one, { code })).status).toBe(200);
  });
});

// QUO-37
describe('the forms of the page', () => {
  const BACK = { status: 303 };

  test('answer, and lead back to the page', async () => {
    const sent = await sentQuote();
    const back = await submit(sent, 'godta', { revision: '1', name: 'Kari Nordmann' });
    expect(back).toMatchObject(BACK);
    expect(back.headers['location']).toBe(`/tilbud/${sent.token}/`);
    expect(words((await visitor().get(`/tilbud/${sent.token}/`)).text)).toMatch(
      /Tilbudet er godtatt Godtatt av Kari Nordmann \d/,
    );
    const declined = await sentQuote();
    expect(await submit(declined, 'avsla', { revision: '1', reason: '' })).toMatchObject(BACK);
    expect(await offerOf(declined)).toMatchObject({ state: 'DECLINED' });
  });

  test('have no effect when they are got, or when another site sends them', async () => {
    const sent = await sentQuote();
    for (const form of ['godta', 'avsla', 'kode']) {
      for (const method of ['GET', 'HEAD', 'PUT'] as const) {
        const url = `/tilbud/${sent.token}/${form}/?revision=1&name=Kari`;
        expect((await visitor().send({ method, url })).status).toBe(404);
      }
      const fields = { revision: '1', name: 'Kari' };
      expect((await submit(sent, form, fields, 'cross-site')).status).toBe(404);
    }
    expect((await offerOf(sent)).state).toBe('SENT');
  });

  test('with a fault are the page with a sentence, and what was typed', async () => {
    const sent = await sentQuote({ confirm_by_code: true });
    const faults: [string, Record<string, string>, number, string][] = [
      ['godta', { revision: '1', name: '' }, 400, 'Skriv navnet ditt'],
      ['godta', { revision: '1', name: 'ქ' }, 400, 'Skriv navnet ditt'],
      ['godta', { revision: 'x', name: 'Kari' }, 400, 'Opplysningene er ikke gyldige'],
      ['godta', { revision: '1', name: 'Kari "<b>"' }, 403, 'Skriv inn koden'],
      ['godta', { revision: '1', name: 'Kari "<b>"', code: 'AAAAAA' }, 400, 'Koden er feil'],
      ['godta', { revision: '1', name: 'Kari "<b>"', code: 'x' }, 400, 'Koden er feil'],
      ['avsla', { revision: '1', reason: '<x>'.repeat(400) }, 400, 'Skriv høyst 1000 tegn'],
      ['godta', { revision: '7', name: 'Kari' }, 409, 'Tilbudet er endret'],
      ['avsla', { revision: '7' }, 409, 'Tilbudet er endret'],
    ];
    for (const [form, fields, status, sentence] of faults) {
      const page = await submit(sent, form, fields);
      expect([fields, page.status]).toEqual([fields, status]);
      expect(words(page.text)).toContain(sentence);
      expect(page.headers).toMatchObject(LINK_HEADERS);
      expect(page.text).not.toMatch(/<b>"|<x>/);
    }
    const typed = await submit(sent, 'godta', { revision: '1', name: 'Kari "N"' });
    expect(typed.text).toContain('value="Kari &quot;N&quot;"');
    expect(words(typed.text)).toContain('k…@example.no');
  });

  test('mail a code, and say that it was mailed', async () => {
    const sent = await sentQuote({ confirm_by_code: true });
    const back = await submit(sent, 'kode');
    expect(back).toMatchObject(BACK);
    const page = await visitor().get(String(back.headers['location']).replace('#svar', ''));
    expect(words(page.text)).toContain('Vi har sendt en kode til k…@example.no');
    const code = await takeCode(`kari${people}@example.no`);
    expect(await submit(sent, 'godta', { revision: '1', name: 'Kari', code })).toMatchObject(BACK);
    expect((await offerOf(sent)).state).toBe('ACCEPTED');
  });
});

// QUO-38
test('the page of a private customer says what the button binds to, and the right to withdraw', async () => {
  customer = await createCustomer(owner, {
    name: 'Kari',
    email: `privat${people}@example.no`,
    is_private: true,
    org_number: null,
  });
  const sent = await sentQuote();
  const text = words((await visitor().get(`/tilbud/${sent.token}/`)).text);
  expect(text).toContain('Pris med mva 1 250,00 kr Godta tilbudet – bestilling med betalingsplikt');
  expect(text).toContain(
    'Når du godtar på nett, har du som forbruker normalt 14 dagers angrerett.',
  );
});

// QUO-40
describe('an answer by hand', () => {
  const byHand = async ({ uuid }: Sent, verb: string, body: object) =>
    owner.post(`/api/quotes/${uuid}/${verb}/`, body);

  test('is kept with its day and note, and told nobody', async () => {
    const sent = await sentQuote();
    const date = addDays(todayInOslo(), -3);
    const { status, body } = await byHand(sent, 'accept', {
      name: 'Ola',
      date,
      note: 'På telefon',
    });
    expect([status, body]).toMatchObject([
      200,
      {
        state: 'ACCEPTED',
        answered_how: 'HAND',
        answered_by: 'Ola',
        answer_note: 'På telefon',
        answered_at: expect.stringContaining(date),
      },
    ]);
    expect((await historyOf(sent))[0]).toMatchObject({
      kind: 'ACCEPTED',
      by: { type: 'ACCOUNT', name: `tilbud${people}@example.no` },
      details: { name: 'Ola', date, note: 'På telefon', revision: 1 },
    });
    expect(await offerOf(sent)).toMatchObject({ state: 'ACCEPTED', answered_by: 'Ola' });
    expect(words((await visitor().get(`/tilbud/${sent.token}/`)).text)).toContain('Godtatt av Ola');
    for (const [verb, again] of [
      ['accept', { name: 'Ola' }],
      ['decline', {}],
    ] as const) {
      expect((await byHand(sent, verb, again)).status).toBe(409);
    }
    const own = smtp.mails.filter(({ to }) => to.some((address) => address.includes(`${people}@`)));
    expect(own.map(({ subject }) => subject)).not.toContainEqual(
      expect.stringMatching(/er godtatt|Ordrebekreftelse/),
    );
  });

  test('is possible of an expired quote, and accepting of a declined one', async () => {
    const sent = await sentQuote({ valid_until: todayInOslo() });
    clock.ahead = 1;
    expect((await byHand(sent, 'decline', { note: 'Ringte' })).body).toMatchObject({
      state: 'DECLINED',
      answered_how: 'HAND',
      answered_by: null,
      answer_note: 'Ringte',
    });
    expect((await byHand(sent, 'decline', {})).status).toBe(409);
    const { body } = await byHand(sent, 'accept', { name: 'Ola' });
    expect(body).toMatchObject({ state: 'ACCEPTED', answered_by: 'Ola', answer_note: null });
  });

  test('with a day ahead, no name or a long note is 400', async () => {
    const sent = await sentQuote();
    for (const [given, field] of [
      [{ name: 'Ola', date: addDays(todayInOslo(), 1) }, 'date'],
      [{}, 'name'],
      [{ name: 'Ola', note: 'x'.repeat(1001) }, 'note'],
    ] as const) {
      const { status, body } = await byHand(sent, 'accept', given);
      expect([given, status, body.detail[0].field]).toEqual([given, 400, field]);
    }
  });

  test('is none of a draft that was never sent, and drops a further one', async () => {
    const { uuid } = await addQuote(owner, customer);
    const draft = { uuid, token: '', path: '' };
    expect((await byHand(draft, 'accept', { name: 'Ola' })).status).toBe(409);
    const sent = await sentQuote();
    await owner.post(`/api/quotes/${sent.uuid}/revise/`);
    const { body } = await byHand(sent, 'accept', { name: 'Ola' });
    expect(body).toMatchObject({ state: 'ACCEPTED', revision: 1 });
  });
});

// QUO-41, QUO-42
describe('the order confirmation', () => {
  const confirmationOf = async ({ uuid }: Sent) =>
    testApp.app.http.inject({
      url: `/quotes/${uuid}/confirmation/pdf/`,
      headers: { cookie: owner.cookieHeader },
    });

  test('is mailed to where the quote went, and is the PDF that members see', async () => {
    const sent = await sentQuote();
    expect((await confirmationOf(sent)).statusCode).toBe(404);
    const quotePdf = await testApp.app.http.inject({ url: `/tilbud/${sent.token}/pdf/` });
    await accept(sent);
    const mail = await mailTo(`kari${people}@example.no`, 'Ordrebekreftelse – tilbud 1 fra');
    expect(mail.text).toContain('Dette er ikke en faktura');
    const attached = mail.attachments.find(({ mimeType }) => mimeType === 'application/pdf');
    expect(attached?.filename).toBe('Ordrebekreftelse-1.pdf');
    const shown = await confirmationOf(sent);
    expect(shown.headers['content-disposition']).toContain('Ordrebekreftelse-1.pdf');
    expect(Buffer.from(attached?.content as ArrayBuffer).equals(shown.rawPayload)).toBe(true);
    const text = readWithPoppler(folder, shown.rawPayload).text('reading');
    for (const said of ['ORDREBEKREFTELSE', 'Kari Nordmann', 'Dette er ikke en faktura.']) {
      expect(text).toContain(said);
    }
    expect(text.replaceAll(/\s/g, '')).toContain(sha256(quotePdf.rawPayload).toString('hex'));
    await until(
      async () => (await quoteOf(sent)).deliveries,
      (deliveries) => deliveries[0].status === 'SENT' && deliveries.length === 2,
    );
  });

  test('goes out after an answer by hand only when it is asked for', async () => {
    const quiet = await sentQuote();
    await owner.post(`/api/quotes/${quiet.uuid}/accept/`, { name: 'Ola' });
    expect((await confirmationOf(quiet)).statusCode).toBe(200);
    expect((await quoteOf(quiet)).deliveries).toHaveLength(1);
    const mailed = await sentQuote();
    await owner.post(`/api/quotes/${mailed.uuid}/accept/`, {
      name: 'Ola',
      send_confirmation: true,
    });
    await mailTo(`kari${people}@example.no`, 'Ordrebekreftelse – tilbud 2 fra');
  });
});
