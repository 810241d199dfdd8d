import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf, seedCompany, type SeededCompany } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import {
  ALL_YEARS,
  type AnsweredExport,
  askForExport,
  bytesAt,
  changeExport,
  expire,
  makeExport,
  namesInZip,
  untilExport,
} from '../testing/exports.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { readMail } from '../testing/mails.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import { exportMailJob } from '../platform/jobs/jobs.ts';
import { ObjectStoreAway } from '../platform/object-store/object-store.ts';
import { until } from '../testing/until.ts';
import { removeExpired, storeFile } from './export-file.service.ts';
import { fileOf } from './export-formats.ts';
import { beginByFetch, finish, insertExport, requireExport } from './export.repository.ts';
import { sumUp } from './open-books.ts';

const OWNER = 'eier@example.no';
/** Milliseconds between two looks at what is tried again after seconds. */
const SELDOM = 500;

let smtp: MailServer;
let testApp: TestApp;
let owner: TestClient;
let companyId: number;
let seeded: SeededCompany;
let stranger: TestClient;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({
    FEATURES: 'export,payments,credit',
    DISPATCH: 'staff',
    SMTP_URL: smtp.url,
  });
  owner = await testApp.login(OWNER);
  companyId = await companyIdOf(testApp.context.db, OWNER);
  seeded = await seedCompany(owner);
  stranger = await testApp.login('fremmed@example.no');
  await completeProfile(stranger);
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

async function countParts(): Promise<number> {
  const rows = await testApp.context.db
    .selectFrom('exportPart')
    .select('position')
    .where('companyId', '=', companyId)
    .execute();
  return rows.length;
}

test('the name of a file has the day and the time of Oslo', () => {
  const createdAt = new Date('2026-12-04T23:09:07Z');
  const archive = { kind: 'ARCHIVE', fromDate: null, toDate: '2026-12-05', createdAt } as const;
  expect(fileOf(archive).name).toBe('faktur-archive-2026-12-05-000907.zip');
});

// EXP-1, EXP-14
test('a job makes the PDF and the EHF of every document of the period', async () => {
  const asked = await askForExport(owner);
  expect(asked).toMatchObject({
    status: 201,
    body: {
      kind: 'DOCUMENTS',
      state: 'WAITING',
      progress: 0,
      sha256: null,
      expires_at: null,
      sent_to: null,
      by: OWNER,
      invoices: 3,
      credit_notes: 1,
      first_number: 1,
      last_number: 4,
      ...ALL_YEARS,
    },
  });
  const done = await untilExport(owner, asked.body.uuid);
  const { net, vat, gross } = asked.body;
  expect(gross).toBeCloseTo(net + vat, 2);
  const { headers } = await owner.get(`/api/exports/${done.uuid}/file/`);
  expect(headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': expect.stringMatching(
      /^attachment; filename="faktur-documents-.*\.zip"$/,
    ),
    'cache-control': 'no-store',
  });
  const content = await bytesAt(testApp, owner, `/api/exports/${done.uuid}/file/`);
  expect(createHash('sha256').update(content).digest('hex')).toBe(done.sha256);
  expect(await namesInZip(content)).toEqual(
    ['Faktura-1', 'Faktura-2', 'Faktura-3', 'Kreditnota-4'].flatMap((name) => [
      `${name}.pdf`,
      `${name}.xml`,
    ]),
  );
  // It has what was issued, without a mark of what came later.
  for (const uuid of [seeded.paid, seeded.cancelled]) {
    const shown = await bytesAt(testApp, owner, `/invoices/${uuid}/pdf/`);
    const original = await bytesAt(testApp, owner, `/invoices/${uuid}/pdf/?original=true`);
    expect([content.includes(original), content.includes(shown)]).toEqual([true, false]);
  }
  const inWeek = Date.parse(done.expires_at) - Date.now();
  expect(inWeek / 86_400_000).toBeCloseTo(7, 1);
  const { body } = await owner.get('/api/exports/');
  expect(body[0]).toEqual(done);
});

/** Waits until the mail about an export has left. */
async function untilTold(uuid: string): Promise<void> {
  await until(
    async () => requireExport(testApp.context.db, companyId, uuid),
    ({ toldAt }) => toldAt !== null,
  );
}

// MEM-18
test('the owner is mailed once, with a link that needs a login', async () => {
  // The mail about the export of the test before may be on its way.
  const [earlier] = (await owner.get('/api/exports/')).body as AnsweredExport[];
  if (earlier) await untilTold(earlier.uuid);
  const before = smtp.mails.length;
  const done = await makeExport(owner);
  const caught = await smtp.waitForMail((mail) => smtp.mails.indexOf(mail) >= before);
  const { subject, text = '' } = await readMail(caught);
  expect(subject).toBe('Eksporten er klar');
  expect(text).toContain('\nGjelder Snekker Andersen AS\n');
  expect(text).toContain('http://faktur.test/invoices/export/\n');
  expect(text).not.toContain('/delt/');
  // The job may run twice: a mail that left is recorded.
  const { db, jobs } = testApp.context;
  await untilTold(done.uuid);
  const again = {
    companyId,
    exportUuid: done.uuid,
    mail: 'OWNER',
    messageUuid: randomUUID(),
  } as const;
  await jobs.enqueue(db, exportMailJob, again);
  await until(
    async () => (await jobs.depths()).filter(({ name }) => name === 'export-mail'),
    (depths) => depths.length === 0,
  );
  expect(smtp.mails.length).toBe(before + 1);
});

describe('what is in an export', () => {
  // EXP-2, EXP-8
  test('a dry run answers the same, and writes nothing', async () => {
    const before = (await owner.get('/api/exports/')).body;
    const trial = await owner.post('/api/exports/?dry_run=true', {
      kind: 'DOCUMENTS',
      ...ALL_YEARS,
    });
    expect(trial).toMatchObject({
      status: 200,
      body: { invoices: 3, credit_notes: 1, drafts_left_out: 1, exported_before: [] },
    });
    expect(Object.keys(trial.body)).not.toContain('uuid');
    expect((await owner.get('/api/exports/')).body).toEqual(before);
    const { body: made } = await askForExport(owner, { kind: 'XLSX' });
    const { drafts_left_out: _, exported_before: __, kind, ...counted } = trial.body;
    expect(made).toMatchObject(counted);
    const again = await owner.post('/api/exports/?dry_run=true', { kind, ...ALL_YEARS });
    const { uuid, created_at: at } = made;
    expect(again.body.exported_before).toEqual([{ uuid, first_number: 1, last_number: 4, at }]);
  });

  // EXP-4
  test('a period without documents is an empty file', async () => {
    const done = await makeExport(owner, { from: '2001-01-01', to: '2001-01-31' });
    expect(done).toMatchObject({
      invoices: 0,
      credit_notes: 0,
      net: 0,
      vat: 0,
      gross: 0,
      first_number: null,
      last_number: null,
    });
  });

  // EXP-5
  test('the list can be taken along as it is filtered', async () => {
    const paid = await makeExport(owner, { filter: { status: 'PAID' } });
    expect(paid).toMatchObject({ invoices: 1, credit_notes: 0 });
    expect(paid.first_number).toBe(paid.last_number);
    const nothing = await makeExport(owner, { filter: { query: 'finnes ikke', status: null } });
    expect(nothing).toMatchObject({ invoices: 0, credit_notes: 0 });
  });

  // EXP-14
  test('a document that is registered while it waits is not in it', async () => {
    const client = await testApp.login();
    await completeProfile(client);
    const customer = await createCustomer(client);
    await register(client, await createDraft(client, customer));
    const person = await createCustomer(client, { org_number: null });
    await register(client, await createDraft(client, person));
    const asked = await askForExport(client);
    await register(client, await createDraft(client, customer));
    const done = await untilExport(client, asked.body.uuid);
    const content = await bytesAt(testApp, client, `/api/exports/${done.uuid}/file/`);
    // EHF cannot express an invoice to a buyer without an organisation number.
    const names = ['Faktura-1.pdf', 'Faktura-1.xml', 'Faktura-2.pdf'];
    expect(await namesInZip(content)).toEqual(names);
  });
});

// EXP-13
test.each([
  ['an unknown kind', { kind: 'PDF' }],
  ['no period', { from: null, to: null }],
  ['half a period', { to: undefined }],
  ['a period that ends before it begins', { from: '2026-02-01', to: '2026-01-01' }],
  ['a day that is not', { from: '2026-02-30' }],
  ['a period and since the last', { since_last: true }],
  ['half a period and since the last', { since_last: true, to: null }],
  ['a link to the whole archive', { kind: 'ARCHIVE', send_to: 'a@example.no' }],
  ['no address', { send_to: 'a@' }],
  ['two addresses', { send_to: 'a@example.no, b@example.no' }],
  ['a filter that is not', { filter: { status: 'LATE' } }],
])('%s is 400', async (_, changes) => {
  expect((await askForExport(stranger, changes)).status).toBe(400);
  expect((await stranger.get('/api/exports/')).body).toEqual([]);
});

describe.each(['XLSX', 'CSV'])('a small export as %s', (kind) => {
  test('is done at once, and made when it is fetched: the same bytes for everybody', async () => {
    const asked = await askForExport(owner, { kind });
    expect(asked).toMatchObject({
      status: 201,
      body: { state: 'DONE', progress: 1, sha256: null, invoices: 3, credit_notes: 1 },
    });
    const answered = asked.body as AnsweredExport;
    const url = `/api/exports/${answered.uuid}/file/`;
    const files = await Promise.all([1, 2, 3].map(async () => bytesAt(testApp, owner, url)));
    const { sha256 } = await untilExport(owner, answered.uuid);
    for (const file of files) {
      expect(createHash('sha256').update(file).digest('hex')).toBe(sha256);
    }
    expect(await namesInZip(await bytesAt(testApp, owner, url))).not.toEqual([]);
  });

  test('goes on after the last one, and nothing new is 409', async () => {
    const client = await testApp.login();
    await completeProfile(client);
    const customer = await createCustomer(client);
    const since = { kind, from: undefined, to: undefined, since_last: true };
    await register(client, await createDraft(client, customer));
    expect((await askForExport(client, since)).body).toMatchObject({ first_number: 1 });
    expect((await askForExport(client, since)).status).toBe(409);
    await register(client, await createDraft(client, customer));
    // A filtered one is no last one.
    const filtered = { ...since, filter: { status: 'OUTSTANDING' } };
    expect((await askForExport(client, filtered)).body).toMatchObject({ first_number: 2 });
    expect((await askForExport(client, since)).body).toMatchObject({
      first_number: 2,
      last_number: 2,
    });
  });
});

test('the archive is everything, whatever the period, and never goes by a link', async () => {
  const done = await makeExport(owner, { kind: 'ARCHIVE', from: '2001-01-01', to: '2001-01-02' });
  expect(done).toMatchObject({ invoices: 3, credit_notes: 1, from: null });
  const names = await namesInZip(await bytesAt(testApp, owner, `/api/exports/${done.uuid}/file/`));
  expect(names).toContain('manifest.json');
});

// EXP-4
test('an archive needs no complete profile, as the books do, which name their seller', async () => {
  const client = await testApp.login('uferdig@example.no');
  await createCustomer(client, { name: 'Før profilen' });
  expect((await askForExport(client, { kind: 'XLSX' })).status).toBe(409);
  // An archive ignores its period and its filter.
  const narrow = { from: '2001-01-01', to: '2001-01-02', filter: { query: 'finnes ikke' } };
  // This process makes it: another one takes a second of a processor, and has made the archive above.
  const { directUrl } = testApp.context;
  Object.assign(testApp.context, { directUrl: null });
  const done = await makeExport(client, { kind: 'ARCHIVE', ...narrow });
  Object.assign(testApp.context, { directUrl });
  const names = await namesInZip(await bytesAt(testApp, client, `/api/exports/${done.uuid}/file/`));
  expect(names).toEqual(expect.arrayContaining(['manifest.json', 'data/customer.jsonl']));
});

test('a company makes at most 120 exports an hour (EXP-8)', async () => {
  const client = await testApp.login('ofte@example.no');
  await completeProfile(client);
  const { db } = testApp.context;
  const key = `export:${await companyIdOf(db, 'ofte@example.no')}`;
  const ask = async () => (await askForExport(client, { kind: 'CSV' })).status;
  expect(await ask()).toBe(201);
  await db.updateTable('rateLimit').set({ hits: 119 }).where('key', '=', key).execute();
  expect([await ask(), await ask()]).toEqual([201, 429]);
});

test('the latest 200 exports are listed, the latest first (EXP-10)', async () => {
  const client = await testApp.login('mange@example.no');
  await completeProfile(client);
  const { body: first } = await askForExport(client, { kind: 'CSV' });
  const { db } = testApp.context;
  const own = await companyIdOf(db, 'mange@example.no');
  const scope = { companyId: own, from: null, to: ALL_YEARS.to, filter: null };
  const summed = await sumUp(db, { ...scope, lastNumber: 0, lastPaymentId: 0 });
  const added = { ...summed, kind: 'CSV', byJob: false, sentTo: null, by: SYSTEM } as const;
  const uuids = await db.transaction().execute(async (trx) => {
    const made: string[] = [];
    for (let one = 0; one < 199; one += 1) made.push((await insertExport(trx, added)).uuid);
    return made;
  });
  const listed = async () =>
    ((await client.get('/api/exports/')).body as AnsweredExport[]).map(({ uuid }) => uuid);
  expect(await listed()).toEqual([...uuids.toReversed(), first.uuid]);
  const { body: last } = await askForExport(client, { kind: 'CSV' });
  expect(await listed()).toEqual([last.uuid, ...uuids.toReversed()]);
});

test('two clicks make one export', async () => {
  const answers = await Promise.all([
    askForExport(owner),
    askForExport(owner),
    askForExport(owner),
  ]);
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect(made.length + refused.length).toBe(3);
  for (const { body } of refused) {
    expect(body.detail[0].message).toBe(
      'An export is being made; wait until it is done, or delete it',
    );
  }
  for (const { body } of made) await untilExport(owner, body.uuid);
});

test('another company gets nothing of it', async () => {
  const done = await makeExport(owner);
  const url = `/api/exports/${done.uuid}/`;
  expect((await stranger.get(url)).status).toBe(404);
  expect((await stranger.get(`${url}file/`)).status).toBe(404);
  expect((await stranger.delete(url)).status).toBe(404);
  expect((await owner.get(`${url}file/`)).status).toBe(200);
  expect((await testApp.visitor().get(`${url}file/`)).status).toBe(401);
});

// EXP-9
describe('the end of a file', () => {
  test('deleted: the row stays, the file and its parts go', async () => {
    const done = await makeExport(owner);
    const parts = await countParts();
    const url = `/api/exports/${done.uuid}/`;
    expect((await owner.delete(url)).status).toBe(204);
    expect((await owner.get(`${url}file/`)).status).toBe(404);
    expect(await countParts()).toBe(parts - 1);
    expect((await owner.get(url)).body).toEqual({ ...done, expires_at: null });
    expect((await owner.delete(url)).status).toBe(204);
  });

  test('expired: the row stays, the file is 404, and housekeeping removes its parts', async () => {
    const done = await makeExport(owner);
    await expire(testApp.context.db, companyId, done.uuid);
    const url = `/api/exports/${done.uuid}/`;
    expect((await owner.get(`${url}file/`)).status).toBe(404);
    const parts = await countParts();
    await removeExpired(testApp.context);
    expect(await countParts()).toBeLessThan(parts);
    const { body } = await owner.get(url);
    expect(body).toEqual({ ...done, expires_at: expect.any(String) as string });
    expect(Date.parse((body as AnsweredExport).expires_at)).toBeLessThan(Date.now());
  });

  test('deleted while it is made: nothing is left, and another can be made', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const { pdf } = testApp.context;
    const render = pdf.render.bind(pdf);
    const waiting = vi.spyOn(pdf, 'render').mockImplementation(async (input) => {
      await held;
      return render(input);
    });
    const client = await testApp.login();
    await completeProfile(client);
    await register(client, await createDraft(client, await createCustomer(client)));
    const { body } = await askForExport(client);
    await untilExport(client, body.uuid, 'WORKING');
    expect((await client.get(`/api/exports/${body.uuid}/file/`)).status).toBe(409);
    expect((await askForExport(client)).status).toBe(409);
    await expect.poll(() => waiting).toHaveBeenCalled();
    expect((await client.delete(`/api/exports/${body.uuid}/`)).status).toBe(204);
    expect((await client.get(`/api/exports/${body.uuid}/`)).body.state).toBe('FAILED');
    goOn();
    const again = await makeExport(client);
    expect(again.state).toBe('DONE');
    expect((await client.get(`/api/exports/${body.uuid}/file/`)).status).toBe(404);
  });
});

test('an export that fails again and again is given up, and the owner is mailed', async () => {
  const client = await testApp.login('uheldig@example.no');
  await completeProfile(client, { email: 'uheldig@example.no' });
  await register(client, await createDraft(client, await createCustomer(client)));
  const failing = vi.spyOn(testApp.context.pdf, 'render').mockRejectedValue(new Error('no ink'));
  const { body } = await askForExport(client);
  // As if it had been tried before; the pauses between tries grow.
  await testApp.context.db
    .updateTable('export')
    .set((row) => ({ failures: row('failures', '+', 3) }))
    .where('companyId', '=', await companyIdOf(testApp.context.db, 'uheldig@example.no'))
    .execute();
  const failed = await untilExport(client, body.uuid, 'FAILED');
  expect(failed).toMatchObject({ sha256: null, expires_at: null });
  expect(failing).toHaveBeenCalledTimes(2);
  failing.mockRestore();
  const caught = await smtp.waitForMail(({ to }) => to.includes('uheldig@example.no'));
  expect(caught.subject).toBe('Eksporten ble ikke laget');
  expect((await readMail(caught)).text).toContain('\nGjelder Snekker Andersen AS\n');
  expect((await client.get(`/api/exports/${body.uuid}/file/`)).status).toBe(404);
  expect((await makeExport(client)).state).toBe('DONE');
});

test('without space, memory or the document store an export waits for them, two days at most (EXP-11)', async () => {
  const client = await testApp.login('venter@example.no');
  await completeProfile(client, { email: 'venter@example.no' });
  await register(client, await createDraft(client, await createCustomer(client)));
  const { db, pdf } = testApp.context;
  const companyId = await companyIdOf(db, 'venter@example.no');
  const withCode = (code: string) => Object.assign(new Error(code), { code });
  const failing = vi
    .spyOn(pdf, 'render')
    .mockRejectedValueOnce(withCode('ENOSPC'))
    .mockRejectedValueOnce(new Error('not stored', { cause: withCode('53200') }))
    .mockRejectedValueOnce(new ObjectStoreAway('S3 did not do it', { advice: 'wait' }));
  const { body } = await askForExport(client);
  // One more failure would be the last.
  const { numUpdatedRows } = await db
    .updateTable('export')
    .set((row) => ({ failures: row('failures', '+', 4) }))
    .where('companyId', '=', companyId)
    .where('failures', '<', 2)
    .executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(1n);
  const made = await until(
    async () => (await client.get(`/api/exports/${body.uuid}/`)).body as AnsweredExport,
    ({ state }) => state === 'DONE' || state === 'FAILED',
    240_000,
    SELDOM,
  );
  expect(made.state).toBe('DONE');
  expect(failing.mock.calls.length).toBeGreaterThan(3);

  await register(client, await createDraft(client, await createCustomer(client)));
  failing.mockRejectedValue(withCode('ENOSPC'));
  const { uuid } = (await askForExport(client)).body as AnsweredExport;
  await changeExport(db, sql`created_at = now() - interval '49 hours'`, { companyId, uuid });
  await untilExport(client, uuid, 'FAILED');
});

test('a fetch waits for another process that makes the file, and makes it when that one is dead (EXP-3)', async () => {
  const { db } = testApp.context;
  const begun = async () => {
    const { uuid } = (await askForExport(owner, { kind: 'GBAT10' })).body as AnsweredExport;
    const elsewhere = await beginByFetch(db, await requireExport(db, companyId, uuid));
    if (!elsewhere) throw new Error('It is leased already');
    return { elsewhere, fetched: bytesAt(testApp, owner, `/api/exports/${uuid}/file/`) };
  };
  const made = await begun();
  const watch = { packed: true, progress: () => 0 };
  const file = await storeFile(
    testApp.context,
    made.elsewhere,
    Readable.from([Buffer.from('made elsewhere')]),
    watch,
  );
  expect(await finish(db, made.elsewhere, file)).toBe(true);
  expect((await made.fetched).toString()).toBe('made elsewhere');

  const dead = await begun();
  const { uuid } = dead.elsewhere;
  await changeExport(db, sql`leased_until = now() - interval '1 second'`, { companyId, uuid });
  expect((await dead.fetched).toString('latin1')).toContain(';');
});

test('many lines are made by a job, as many documents are (EXP-3)', async () => {
  const client = await testApp.login('linjer@example.no');
  await completeProfile(client, { email: 'linjer@example.no' });
  const customer = await createCustomer(client);
  const { db } = testApp.context;
  const own = await companyIdOf(db, 'linjer@example.no');
  const draft = await createDraft(client, customer);
  // As the API takes no more than a thousand lines of a draft.
  await sql`INSERT INTO invoice_line (company_id, invoice_id, "position", description, quantity, unit, net_unit_amount, vat_rate, vat_treatment)
    SELECT company_id, invoice_id, "position" + more * 100, description, quantity, unit, net_unit_amount, vat_rate, vat_treatment
    FROM invoice_line, generate_series(1, 7000) more WHERE company_id = ${own}`.execute(db);
  await register(client, draft);
  expect((await askForExport(client, { kind: 'CSV' })).body).toMatchObject({ state: 'WAITING' });
});

test('a file of plain text is stored packed, and fetched as it was printed', async () => {
  const { uuid } = (await askForExport(owner, { kind: 'SAFT' })).body as AnsweredExport;
  const url = `/api/exports/${uuid}/file/`;
  const xml = await bytesAt(testApp, owner, url);
  expect(xml.toString()).toMatch(/^<\?xml.*<\/AuditFile>\s*$/s);
  const { id, sha256, size } = await requireExport(testApp.context.db, companyId, uuid);
  const part = await testApp.context.db
    .selectFrom('exportPart')
    .select(['packed', 'size', 'content'])
    .where('companyId', '=', companyId)
    .where('exportId', '=', id)
    .executeTakeFirstOrThrow();
  expect(part).toMatchObject({ packed: true, size: xml.length });
  expect(part.content?.length).toBeLessThan(xml.length / 3);
  expect(size).toBe(xml.length);
  expect(
    createHash('sha256')
      .update(xml)
      .digest()
      .equals(sha256 ?? Buffer.of()),
  ).toBe(true);
});
