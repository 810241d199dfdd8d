import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { addDays, formatDate, todayInOslo } from '../../domain/date.ts';
import { API_ENDPOINTS } from '../../domain/endpoints.ts';
import { uploadTypesOf } from '../../domain/api/endpoint.ts';
import { allJobs } from '../all-jobs.ts';
import { runCommand } from '../operator/run-command.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { closeCompany, fetchArchive, letDaysPass } from '../testing/closings.ts';
import { companyIdOf, dumpCompany, seedCompany, type SeededCompany } from '../testing/company.ts';
import {
  addAssignment,
  addQuote,
  completeProfile,
  createCustomer,
  createDraft,
  PROFILE,
  register,
} from '../testing/factories.ts';
import { addMember } from '../testing/members.ts';
import { readMail } from '../testing/mails.ts';
import { EVERYTHING_ON } from '../testing/process.ts';
import { makeKey } from '../testing/tokens.ts';
import { until } from '../testing/until.ts';
import { hasQueued as hasQueuedStatement } from '../portal/statement-delivery.repository.ts';
import { hasQueued } from '../quote/quote-delivery.repository.ts';
import { GOES_FIRST, STAYS_WITH_BOOKS } from './closing-tables.ts';
import { deleteDue } from './deletion.service.ts';

const FEATURES =
  'closing,export,members,overview,integrations,recurring,payments,products,portal,quotes';
const DAYS = 31;
const NO_SUCH = '11111111-1111-4111-8111-111111111111';

let testApp: TestApp;
let owner: TestClient;
let email: string;
let companyId: number;
let company: SeededCompany;
let log = '';
let count = 0;

beforeAll(async () => {
  testApp = await startTestApp(
    { DISPATCH: 'staff', FEATURES, LOG_LEVEL: 'info' },
    { logStream: { write: (line) => (log += line) } },
  );
  // As on the embedded database, this process makes the archives: another for each takes a second of a processor.
  Object.assign(testApp.context, { directUrl: null });
});
afterAll(async () => testApp.close());
beforeEach(async () => {
  email = `eier${++count}@example.no`;
  owner = await testApp.login(email);
  company = await seedCompany(owner);
  companyId = await companyIdOf(testApp.context.db, email);
});

const closingOf = async (client: TestClient) => (await client.get('/api/company/closing/')).body;

async function newMember(role: 'EMPLOYEE' | 'OWNER') {
  const address = `medlem${++count}@example.no`;
  return { email: address, ...(await addMember(testApp, { companyId, email: address, role })) };
}

/** Sends a quote, and answers with its uuid and the path of its link. */
async function sendQuote(): Promise<{ uuid: string; path: string }> {
  const { uuid } = await addQuote(owner, company.customerNumbers[0] ?? 0);
  const { body } = await owner.post(`/api/quotes/${uuid}/send/`, {});
  await untilMailed();
  return { uuid, path: `/api/offers/${/tilbud\/(\w+)\//.exec(body.url)?.[1]}/` };
}

const untilMailed = async () =>
  until(
    async () =>
      (await hasQueued(testApp.context.db, companyId)) ||
      (await hasQueuedStatement(testApp.context.db, companyId)),
    (found) => !found,
  );

const accept = async (path: string) =>
  testApp.visitor().post(`${path}accept/`, { revision: 1, name: 'Kari Nordmann' });

const pick = (dump: Record<string, string[]>, tables: string[]) =>
  Object.fromEntries(tables.map((table) => [table, dump[table]]));

/** Fetches the archive, closes the company, and lets the days to regret pass. */
async function closeForGood(changes: object = {}): Promise<Buffer> {
  const archive = await fetchArchive(testApp, owner);
  expect((await closeCompany(owner, changes)).body).toMatchObject({ state: 'CLOSED' });
  await letDaysPass(testApp.context.db, companyId, DAYS);
  return archive;
}

async function mailsTo(address: string, subject: RegExp): Promise<string[]> {
  const files = await readdir(testApp.outbox).catch(() => []);
  const texts = await Promise.all(
    // Some are being written.
    files
      .filter((name) => name.endsWith('.eml'))
      .map(async (name) => readFile(join(testApp.outbox, name), 'utf8')),
  );
  return texts.filter((text) => text.includes(address) && subject.test(text));
}

// CLO-1, CLO-2, CLO-5
test('an owner closes a company once nothing hinders it', async () => {
  const year = Number(todayInOslo().slice(0, 4));
  expect(await closingOf(owner)).toEqual({
    state: 'OPEN',
    closed_at: null,
    deletes_on: null,
    kept_until: null,
    required_until: `${year + 5}-12-31`,
    keep: null,
    obstacles: [{ code: 'ARCHIVE_MISSING', message: expect.any(String) }],
    archive: null,
  });
  expect((await closeCompany(owner, { confirm: '974760673' })).status).toBe(400);
  expect((await owner.post('/api/company/closing/', { confirm: PROFILE.org_number })).body).toEqual(
    {
      detail: [{ message: 'keep is a required field', field: 'keep' }],
    },
  );
  expect(await closeCompany(owner)).toMatchObject({
    status: 409,
    body: {
      detail: [{ message: 'The company cannot be closed yet; obstacles says why' }],
      obstacles: [{ code: 'ARCHIVE_MISSING' }],
    },
  });
  await fetchArchive(testApp, owner);
  // It lacks what is registered later.
  await register(owner, company.draft);
  expect((await closeCompany(owner)).body.obstacles).toMatchObject([{ code: 'ARCHIVE_MISSING' }]);
  await fetchArchive(testApp, owner);
  const confirm = `NO ${PROFILE.org_number} MVA`;
  expect(await closeCompany(owner, { confirm })).toMatchObject({
    status: 200,
    body: {
      state: 'CLOSED',
      closed_at: expect.any(String),
      deletes_on: addDays(todayInOslo(), 30),
      kept_until: `${year + 5}-12-31`,
      required_until: `${year + 5}-12-31`,
      keep: true,
      obstacles: [],
      archive: { fetched_at: expect.any(String) },
    },
  });
  expect((await owner.get('/api/users/session/')).body).toMatchObject({ company_state: 'CLOSED' });
  const [mail = ''] = await until(
    async () => mailsTo(email, /Snekker Andersen AS er avsluttet/),
    (mails) => mails.length === 1,
  );
  // It names who closed the company, what happens when, and how to undo it.
  const text = (await readMail(Buffer.from(mail))).text?.replaceAll(/\s+/g, ' ');
  for (const said of [
    `${email} har avsluttet Snekker Andersen AS`,
    `${formatDate(addDays(todayInOslo(), 30))} sletter vi det du ikke må oppbevare`,
    `Bøkene kan leses til 31.12.${year + 5}.`,
    'Du kan angre i 30 dager.',
    'http://faktur.test/profile/closing/',
  ]) {
    expect(text).toContain(said);
  }
});

// CLO-2
test('credit hinders, unless the books stay and it is accepted; what is on its way hinders', async () => {
  const { db } = testApp.context;
  await fetchArchive(testApp, owner);
  await sql`UPDATE customer SET credit = 100 WHERE company_id = ${companyId}
    AND customer_number = ${company.customerNumbers[0]}`.execute(db);
  const credit = [{ code: 'CREDIT' }];
  expect((await closeCompany(owner)).body.obstacles).toMatchObject(credit);
  expect(
    (await closeCompany(owner, { keep: false, accept_credit: true })).body.obstacles,
  ).toMatchObject(credit);
  await sql`INSERT INTO delivery (company_id, invoice_id, document_id, delivery_type, recipient, carrier_key)
    SELECT company_id, invoice_id, id, 'EMAIL', 'k@example.no', uuid::text FROM document
    WHERE company_id = ${companyId} ORDER BY id LIMIT 1`.execute(db);
  expect((await closeCompany(owner, { accept_credit: true })).body.obstacles).toMatchObject([
    { code: 'DELIVERIES' },
  ]);
  await sql`DELETE FROM delivery WHERE company_id = ${companyId}`.execute(db);
  expect((await closeCompany(owner, { accept_credit: true })).status).toBe(200);
});

// CLO-2
test('a quote and a statement hinder while one of their addresses waits', async () => {
  const { db } = testApp.context;
  const recipients = JSON.stringify([
    { address: 'kunde@example.no', status: 'SENT', reason: null },
    { address: 'regnskap@example.no', status: 'QUEUED', reason: null },
  ]);
  await sendQuote();
  await owner.post(`/api/customers/${company.customerNumbers[0]}/statement/deliveries/`, {
    from: `${todayInOslo().slice(0, 4)}-01-01`,
    to: todayInOslo(),
  });
  await untilMailed();
  await fetchArchive(testApp, owner);
  for (const table of ['quote_delivery', 'statement_delivery']) {
    const { rows } = await sql`UPDATE ${sql.table(table)}
      SET recipients = ${recipients}::jsonb WHERE company_id = ${companyId} RETURNING id`.execute(
      db,
    );
    expect(rows, `in ${table}`).toHaveLength(1);
    expect((await closeCompany(owner)).body.obstacles, `in ${table}`).toMatchObject([
      { code: 'DELIVERIES' },
    ]);
    await sql`DELETE FROM ${sql.table(table)} WHERE company_id = ${companyId}`.execute(db);
  }
  expect((await closingOf(owner)).obstacles).toEqual([]);
});

// CLO-2
test('an archive of a week ago, an export that waits and what goes by itself hinder; without exports the books stay', async () => {
  const { db, config } = testApp.context;
  const { dispatch, features } = config;
  const hindering = async (changes: object = {}): Promise<string[]> => {
    const { status, body } = await closeCompany(owner, changes);
    expect(status).toBe(409);
    return body.obstacles.map(({ code }: { code: string }) => code);
  };
  const draft = await createDraft(owner, company.customerNumbers[0] ?? 0, {
    delivery_type: 'EMAIL',
  });
  await register(owner, draft);
  await fetchArchive(testApp, owner);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 24 * 3_600_000 + 60_000 });
  expect(await hindering()).toEqual(['ARCHIVE_MISSING']);
  vi.useRealTimers();
  try {
    Object.assign(config, { dispatch: 'auto' });
    expect(await hindering()).toEqual(['DELIVERIES']);
    Object.assign(config, { dispatch });
    await sql`INSERT INTO export (company_id, kind, state, to_date, through_number, through_payment_id, invoices, credit_notes,
        net_amount, vat_amount, gross_amount, by_job, by_type, by_name)
      VALUES (${companyId}, 'XLSX', 'WAITING', current_date, 0, 0, 0, 0, 0, 0, 0, true, 'ACCOUNT', ${email})`.execute(
      db,
    );
    expect(await hindering()).toEqual(['EXPORT']);
    await sql`UPDATE export SET state = 'FAILED' WHERE company_id = ${companyId} AND state = 'WAITING'`.execute(
      db,
    );
    Object.assign(config, { features: new Set([...features].filter((one) => one !== 'export')) });
    expect(await hindering({ keep: false })).toEqual(['ARCHIVE_MISSING']);
    expect((await closeCompany(owner)).status).toBe(200);
  } finally {
    Object.assign(config, { dispatch, features });
  }
});

// CLO-3
test('every call that changes a closed company is refused, but those that say otherwise', async () => {
  const all = await startTestApp({ DISPATCH: 'staff', ...EVERYTHING_ON });
  try {
    const client = await all.login('alle@example.no');
    await completeProfile(client);
    await sql`UPDATE company SET closed_at = now()`.execute(all.context.db);
    const answers: Record<string, boolean> = {};
    const expected: Record<string, boolean> = {};
    const changing = API_ENDPOINTS.filter(
      ({ access, id, method }) =>
        access === undefined && method !== 'GET' && id !== 'reopenCompany',
    );
    for (const endpoint of changing) {
      const isUpload = endpoint.upload !== undefined;
      const { status, text } = await client.send({
        method: endpoint.method,
        url: endpoint.path.replaceAll(/\{(\w+)\}/g, NO_SUCH),
        ...(isUpload && {
          payload: Buffer.from('x'),
          headers: { 'content-type': uploadTypesOf(endpoint)[0] },
        }),
        // The refusal comes before the body is judged.
        ...(!isUpload && endpoint.body && { payload: {} }),
      });
      answers[endpoint.id] = status === 409 && text.includes('The company is closed');
      expected[endpoint.id] = !endpoint.whileClosed;
    }
    expect(answers).toEqual(expected);
    expect(Object.keys(expected).filter((id) => !expected[id])).toEqual([
      'previewInvoice',
      'createExport',
      'deleteExport',
      'previewAssignment',
    ]);
  } finally {
    await all.close();
  }
});

// CLO-3, CLO-4
test('what others have of it ends at once; all else is as before after regretting', async () => {
  const { db } = testApp.context;
  const employee = await newMember('EMPLOYEE');
  const { token } = await makeKey(owner);
  await owner.post('/api/members/', { email: 'ny@example.no', role: 'EMPLOYEE' });
  await owner.post('/api/overview/links/', {
    name: 'Bank',
    shows: ['TURNOVER'],
    period: 'THIS_YEAR',
    days: 30,
  });
  await addAssignment(owner, { customer_numbers: [company.customerNumbers[0]] });
  const { path } = await sendQuote();
  await owner.post('/api/webhooks/', { url: 'https://hook.invalid/', events: ['invoice.paid'] });
  await sql`INSERT INTO webhook_delivery (company_id, webhook_id, type, body, state, next_attempt_at)
    SELECT company_id, id, 'invoice.paid', '{}', state, CASE state WHEN 'WAITING' THEN now() + interval '1 day' END
    FROM webhook, unnest(ARRAY['WAITING', 'DELIVERED']) AS state WHERE company_id = ${companyId}`.execute(
    db,
  );
  await fetchArchive(testApp, owner);
  const before = await dumpCompany(db, companyId);
  await closeCompany(owner);

  const withKey = await testApp.app.http.inject({
    url: '/api/customers/',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(withKey.statusCode).toBe(401);
  expect((await employee.client.get('/api/customers/')).status).toBe(403);
  expect((await owner.get('/api/overview/links/')).body).toMatchObject([
    { revoked_at: expect.any(String) },
  ]);
  expect((await owner.get('/api/members/')).body).toHaveLength(2);
  expect((await owner.get('/api/customers/')).status).toBe(200);
  const closed = { status: 409, body: { detail: [{ message: 'The company is closed' }] } };
  expect(await closeCompany(owner)).toMatchObject(closed);
  // A quote is shown at its link, and takes no answer.
  const page = await testApp.visitor().get(path.replace('/api/offers', '/tilbud'));
  expect(page.text).toContain('Snekker Andersen AS</bdi> er avsluttet.');
  expect(page.text).not.toContain('<form');
  expect(await accept(path)).toMatchObject(closed);
  expect(await testApp.visitor().post(`${path}decline/`, { revision: 1 })).toMatchObject(closed);

  expect(await owner.delete('/api/company/closing/')).toMatchObject({
    status: 200,
    body: { state: 'OPEN' },
  });
  expect((await owner.delete('/api/company/closing/')).status).toBe(409);
  expect((await employee.client.get('/api/customers/')).status).toBe(200);
  await createDraft(owner, company.customerNumbers[0] ?? 0);
  const after = await dumpCompany(db, companyId);
  const same = ['assignment', 'assignment_line', 'customer', 'product', 'document'];
  expect(pick(after, same)).toEqual(pick(before, same));
  expect(after['api_token']).toEqual([]);
  const { rows: messages } = await sql<{ state: string }>`SELECT state FROM webhook_delivery
    WHERE company_id = ${companyId} ORDER BY state`.execute(db);
  expect(messages.map(({ state }) => state)).toEqual(['CANCELLED', 'DELIVERED']);
  expect((await accept(path)).body).toMatchObject({ state: 'ACCEPTED' });
  expect((await owner.get('/api/users/session/')).body).toMatchObject({ company_state: 'OPEN' });
});

// CLO-3
test('what works by itself stops with its company', async () => {
  await fetchArchive(testApp, owner);
  await closeCompany(owner);
  const stopping = allJobs(testApp.context).filter(({ job }) => job.options.stopsWithCompany);
  log = '';
  for (const handler of stopping) {
    await handler.handle({ companyId }, new AbortController().signal);
  }
  const dropped = log.matchAll(/"job":"([\w-]+)","companyId":\d+,"msg":"job dropped/g);
  expect(
    dropped
      .map(([, name = '']) => name)
      .toArray()
      .toSorted(),
  ).toEqual([
    'bank-file',
    'dispatch',
    'ehf-check',
    'quote-mail',
    'recurring-notice',
    'recurring-run',
    'remind',
    'send-reminders',
    'statement-mail',
  ]);
});

// CLO-6
test('after 30 days all but the books goes, once, and it can only be read', async () => {
  const { db } = testApp.context;
  await createCustomer(owner, { name: 'Uten faktura', phone_number: '91234567' });
  await owner.put(`/api/customers/${company.customerNumbers[0]}/update/`, {
    customer_number: company.customerNumbers[0],
    name: 'Ørsta Båt AS',
    email: 'kunde@example.no',
    phone_number: '91234567',
    contact_name: 'Kari Kontakt',
    invoice_emails: ['faktura@example.no'],
  });
  await addAssignment(owner, { customer_numbers: [company.customerNumbers[0]] });
  const employee = await newMember('EMPLOYEE');
  const accepted = await sendQuote();
  await accept(accepted.path);
  const { uuid: unanswered } = await sendQuote();
  await addQuote(owner, company.customerNumbers[0] ?? 0);
  await closeForGood();
  const before = await dumpCompany(db, companyId);
  await deleteDue(testApp.context, todayInOslo());
  await deleteDue(testApp.context, todayInOslo());
  const after = await dumpCompany(db, companyId);
  const books = ['document', 'document_file', 'payment', 'export', 'bank_account', 'delivery'];
  expect(pick(after, books)).toEqual(pick(before, books));
  const gone = ['assignment', 'invoice_template', 'customer_group', 'product', 'webhook'];
  expect(Object.values(pick(after, gone)).flat()).toEqual([]);
  expect(after['invoice']).toHaveLength((before['invoice']?.length ?? 0) - 1);
  expect(after['member']).toHaveLength(1);
  expect((await owner.get(`/api/quotes/${accepted.uuid}/`)).body).toMatchObject({
    state: 'ACCEPTED',
  });
  expect((await owner.get(`/api/quotes/${unanswered}/`)).status).toBe(404);
  const ofQuotes = ['quote', 'quote_revision', 'quote_link'].map((table) => after[table]?.length);
  expect(ofQuotes).toEqual([1, 1, 1]);
  expect((await testApp.visitor().get(accepted.path)).body).toMatchObject({ state: 'ACCEPTED' });
  const customers = after['customer']?.join('');
  expect(customers).toContain('kunde@example.no');
  expect(customers).not.toMatch(/91234567|Kari Kontakt|faktura@example|Uten faktura/);
  expect((await employee.client.get('/api/users/session/')).status).toBe(401);
  expect(log.match(/all but the books of a closed company deleted/g)).toHaveLength(1);
  expect((await owner.get(`/api/invoices/${company.registered}/`)).status).toBe(200);
  expect((await owner.delete('/api/company/closing/')).body.detail[0].message).toContain(
    'too late',
  );
  const lines = await command('ledger', 'check', '--company', email);
  expect(lines).toContain('all in order');
});

// CLO-8
test('owners are told before the books go, and then they go', async () => {
  const { db } = testApp.context;
  await closeForGood();
  const year = Number(todayInOslo().slice(0, 4));
  const findMails = async () => mailsTo(email, /Snekker Andersen AS slettes/);
  await deleteDue(testApp.context, `${year + 5}-12-01`);
  expect(await findMails()).toEqual([]);
  await deleteDue(testApp.context, `${year + 5}-12-02`);
  await deleteDue(testApp.context, `${year + 5}-12-02`);
  await until(findMails, (mails) => mails.length === 1);
  await sql`UPDATE company_closing SET kept_until = ${`${year - 1}-12-31`}::date
    WHERE company_id = ${companyId}`.execute(db);
  await deleteDue(testApp.context, todayInOslo());
  expect((await owner.get('/api/users/session/')).body).toMatchObject({ company_state: null });
});

describe('with keep: false', () => {
  // CLO-7, CLO-9, EXP-45
  test('everything goes but one row, and the archive brings it back with its numbers', async () => {
    const { db } = testApp.context;
    const other = await testApp.login(`nabo${count}@example.no`);
    await seedCompany(other);
    const neighbour = await companyIdOf(db, `nabo${count}@example.no`);
    await completeProfile(owner, {
      company_name: 'Hemmelig Navn AS',
      email: 'hemmelig@navn.example',
    });
    await owner.post('/api/invoices/queue/', { invoices: [company.draft] });
    const customer = await createCustomer(owner, {
      name: 'Skjult Kunde',
      email: 'skjult@kunde.example',
    });
    const draft = await createDraft(owner, customer, { message: 'Skjult beskjed' });
    await register(owner, draft);
    const { uuid: quote, path } = await sendQuote();
    await accept(path);
    await untilMailed();
    const ofQuote = await owner.post(`/api/quotes/${quote}/invoice/`, { percent: 50 });
    await register(owner, ofQuote.body.uuid);
    const archive = await closeForGood({ keep: false });
    // CLO-5: the books are not kept here, and the law asks for them all the same.
    expect(await closingOf(owner)).toMatchObject({
      kept_until: null,
      required_until: expect.any(String),
    });
    const before = await dumpCompany(db, neighbour);
    await deleteDue(testApp.context, todayInOslo());
    await deleteDue(testApp.context, todayInOslo());

    const { rows } = await sql<{
      row: string;
    }>`SELECT query_to_xml(format('SELECT * FROM %I', table_name), true, false, '')::text AS row
      FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(
      db,
    );
    const dump = rows.map(({ row }) => row).join('');
    expect(dump).not.toMatch(/Hemmelig Navn|hemmelig@navn|Skjult|skjult@kunde/);
    expect(log).not.toMatch(/Hemmelig Navn|hemmelig@navn|Skjult|skjult@kunde/);
    expect(await dumpCompany(db, neighbour)).toEqual(before);
    const [remains] = await db
      .selectFrom('closedBooks')
      .selectAll()
      .where('deletedId', '=', companyId)
      .execute();
    expect(remains).toMatchObject({
      orgNumber: PROFILE.org_number,
      firstNumber: 1,
      lastHash: expect.any(Uint8Array),
      archiveSha256: expect.any(Uint8Array),
    });
    await expect(sql`DELETE FROM closed_books`.execute(db)).rejects.toThrow('never changes');
    await until(
      async () => mailsTo('', /Hemmelig Navn/),
      (mails) => mails.length === 0,
    );
    expect(await command('ledger', 'check')).toContain('deleted');

    const folder = await mkdtemp(join(tmpdir(), 'faktur-closing-'));
    const file = join(folder, 'arkiv.zip');
    await writeFile(file, archive);
    await sql`UPDATE company SET org_number = NULL WHERE id <> ${companyId} AND org_number = ${PROFILE.org_number}`.execute(
      db,
    );
    expect(await command('company', 'import', file)).toContain('is here');
    await rm(folder, { recursive: true, force: true });
    const session = await owner.get('/api/users/session/');
    expect(session.body).toMatchObject({
      company_state: 'OPEN',
      company: { name: 'Hemmelig Navn AS' },
    });
    const list = (await owner.get('/api/invoices/')).body;
    const highest = Math.max(
      ...list.results.map((one: { invoice_number: number }) => one.invoice_number),
    );
    expect(await register(owner, await createDraft(owner, customer))).toBe(highest + 1);
    expect(await command('ledger', 'check', '--company', email)).toContain('all in order');
  });

  // CLO-9
  test('the database deletes books in no other way', async () => {
    const { db } = testApp.context;
    await fetchArchive(testApp, owner);
    await closeCompany(owner, { keep: false });
    const remain = sql`INSERT INTO closed_books (company_uuid, closed_by, deleted_id)
      SELECT uuid, gen_random_uuid(), id FROM company WHERE id = ${companyId}`;
    await expect(remain.execute(db)).rejects.toThrow('once the law allows it');
    const tables = ['document_file', 'document', 'history_event', 'payment', 'export', 'invoice'];
    for (const table of tables) {
      const isThere =
        await sql`SELECT FROM ${sql.table(table)} WHERE company_id = ${companyId}`.execute(db);
      if (isThere.rows.length === 0) continue;
      await expect(
        sql`DELETE FROM ${sql.table(table)} WHERE company_id = ${companyId}`.execute(db),
      ).rejects.toThrow(/never|kept|stays|draft/);
    }
    await letDaysPass(db, companyId, DAYS);
    await remain.execute(db);
    // The permission ends with the transaction.
    await expect(
      sql`DELETE FROM document WHERE company_id = ${companyId}`.execute(db),
    ).rejects.toThrow('kept as it was issued');
  });
});

// CLO-6, CLO-7
test('of every table of companies it is said what goes when', async () => {
  const { rows } = await sql<{
    name: string;
  }>`SELECT DISTINCT table_name::text AS name FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'company_id'`.execute(
    testApp.context.db,
  );
  const said = [...GOES_FIRST.map(({ table }) => table), ...Object.keys(STAYS_WITH_BOOKS)];
  expect(said.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

describe('an account', () => {
  // CLO-10
  test('is deleted with what logs it in, unless it is the only owner of books', async () => {
    const confirm = { confirm: email };
    const del = async (client: TestClient, payload: object) =>
      client.send({ method: 'DELETE', url: '/api/users/account/', payload });
    expect((await del(owner, { confirm: 'annen@example.no' })).status).toBe(400);
    expect(await del(owner, confirm)).toMatchObject({
      status: 409,
      body: { detail: [{ message: expect.stringContaining('Snekker Andersen AS') }] },
    });
    await fetchArchive(testApp, owner);
    await closeCompany(owner);
    expect((await del(owner, confirm)).status).toBe(409);
    await owner.delete('/api/company/closing/');
    const second = await newMember('OWNER');
    expect((await del(owner, { confirm: ` ${email.toUpperCase()} ` })).status).toBe(204);
    expect((await owner.get('/api/users/session/')).status).toBe(401);
    expect((await second.client.get('/api/members/')).body).toHaveLength(1);
    expect(
      (await second.client.get(`/api/invoices/${company.registered}/history/`)).text,
    ).toContain(email);
    await until(
      async () => mailsTo(email, /Kontoen din er slettet/),
      (mails) => mails.length === 1,
    );
    const anew = await testApp.login(email);
    expect((await anew.get('/api/invoices/')).body.count).toBe(0);
    // A company without a number goes with it.
    expect((await del(anew, confirm)).status).toBe(204);
  });
});

/** The output of an operator's command. */
async function command(name: string, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  await runCommand(testApp.context, name, words, {
    line: (text) => lines.push(text),
    bytes: async () => undefined,
  });
  return lines.join('\n');
}

// CLO-11
test('the operator lists closed companies, opens one again and keeps books for longer', async () => {
  await fetchArchive(testApp, owner);
  await closeCompany(owner);
  const uuid = (await owner.get('/api/users/session/')).body.company.uuid as string;
  const year = Number(todayInOslo().slice(0, 4)) + 5;
  expect(await command('company', 'closing')).toContain(`${uuid}  Snekker Andersen AS`);
  expect(await command('company', 'keep-until', uuid, `${year + 1}-06-30`)).toContain('kept until');
  expect(await closingOf(owner)).toMatchObject({ kept_until: `${year + 1}-06-30` });
  await command('company', 'keep-until', uuid, `${year}-06-30`);
  expect(await closingOf(owner)).toMatchObject({ kept_until: `${year + 1}-06-30` });
  expect(await command('company', 'reopen', uuid)).toContain('open again');
  expect(await closingOf(owner)).toMatchObject({ state: 'OPEN' });
});
