import { read, utils } from '@e965/xlsx';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import { STAFF_EMAIL, startTestApp } from '../testing/app.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  addAssignment,
  completeProfile,
  createCustomer,
  createDraft,
  createGroup,
  register,
} from '../testing/factories.ts';
import { bytesAt, makeExport } from '../testing/exports.ts';
import { RECEIVER, startEhfWorld, type EhfWorld } from '../testing/peppol/ehf-world.ts';
import { findDueQuestions } from './evidence.repository.ts';
import { askAboutDrafts, askAgain } from './evidence.service.ts';

const SILENT = '923609016';
const ABSENT = '910502913';
const OWNER = 'ehf@example.no';

let world: EhfWorld<unknown>;

beforeAll(async () => {
  // Nothing is sent: a delivery asks the network too, in the middle of a later test.
  world = await startEhfWorld('phoss-ap', OWNER, {
    FEATURES: 'einvoice,recurring,credit,export',
    DISPATCH: 'staff',
  });
});
afterAll(async () => world.close());
beforeEach(async () => {
  world.say(SILENT, 'SERVFAIL');
  world.say(ABSENT, 'NXDOMAIN');
  world.dns.asked.length = 0;
  await sql`DELETE FROM peppol_answer`.execute(world.testApp.context.db);
});
afterEach(() => void vi.useRealTimers());

/** Registers an invoice to a customer with these values, and returns its uuid. */
async function invoice(customer: object, changes: object = {}): Promise<string> {
  const number = await createCustomer(world.client, customer);
  const uuid = await createDraft(world.client, number, changes);
  await register(world.client, uuid);
  return uuid;
}

async function einvoiceOf(uuid: string | number) {
  const { status, body } = await world.client.get(`/api/invoices/${uuid}/einvoice/`);
  expect(status).toBe(200);
  return body;
}

async function lookUpsOf(uuid: string): Promise<object[]> {
  const { body } = await world.client.get(`/api/invoices/${uuid}/history/`);
  return body
    .filter(({ kind }: { kind: string }) => kind === 'LOOKED_UP')
    .map(({ by, details }: { by: { type: string }; details: object }) =>
      Object.assign(details, { by: by.type }),
    );
}

/** Lets a time pass for the evidence about a document. */
async function age(uuid: string, minutes: number): Promise<void> {
  const { db } = world.testApp.context;
  await sql`ALTER TABLE einvoice_evidence DISABLE TRIGGER einvoice_evidence_kept`.execute(db);
  await sql`
    UPDATE einvoice_evidence SET asked_at = asked_at - make_interval(secs => ${minutes * 60}),
      kept_at = kept_at - make_interval(secs => ${minutes * 60})
    WHERE invoice_id = (SELECT id FROM invoice WHERE uuid = ${uuid})`.execute(db);
  await sql`ALTER TABLE einvoice_evidence ENABLE TRIGGER einvoice_evidence_kept`.execute(db);
}

describe('EINV-3: at registering', () => {
  test('the answer about a business is kept, whatever the delivery type', async () => {
    for (const delivery_type of ['NONE', 'EHF']) {
      const uuid = await invoice({ org_number: RECEIVER }, { delivery_type });
      const before = Date.now();
      const { evidence, asked, ...rest } = await einvoiceOf(uuid);
      expect(rest).toMatchObject({ duty: false, reason: 'BEFORE_2027' });
      expect(evidence).toEqual({
        outcome: 'REACHABLE',
        participant: `0192:${RECEIVER}`,
        document_type: 'INVOICE',
        network: 'test',
        publisher: 'smp.test',
        cause: null,
        asked_at: expect.any(String),
      });
      expect(Date.parse(evidence.asked_at)).toBeLessThanOrEqual(before);
      expect(asked).toEqual([evidence]);
      expect(await lookUpsOf(uuid)).toEqual([
        { by: 'SYSTEM', outcome: 'REACHABLE', publisher: 'smp.test' },
      ]);
    }
    // The second was answered by the first, at its time.
    expect(world.dns.asked.filter((name) => name.includes('.sml.'))).toHaveLength(1);
  });

  test('no, no answer and a wrong number are three things', async () => {
    const cannot = await einvoiceOf(await invoice({ org_number: ABSENT }));
    expect(cannot.evidence).toMatchObject({
      outcome: 'NOT_REGISTERED',
      cause: null,
      publisher: null,
    });
    expect(cannot.verdict).toBe('RECIPIENT_CANNOT');
    const silent = await einvoiceOf(await invoice({ org_number: SILENT }));
    expect(silent.evidence).toMatchObject({ outcome: 'UNKNOWN', cause: 'DNS' });
    expect(silent.verdict).toBe('NO_ANSWER');
    world.dns.asked.length = 0;
    const wrong = await invoice({ org_number: '974760672' });
    expect((await einvoiceOf(wrong)).evidence).toMatchObject({
      outcome: 'NOT_REGISTERED',
      cause: 'INVALID_NUMBER',
      participant: '0192:974760672',
      asked_at: null,
    });
    expect(world.dns.asked).toEqual([]);
    expect(await lookUpsOf(wrong)).toHaveLength(1);
  });

  test('nobody is asked about persons, foreigners, and who has no number', async () => {
    for (const [reason, customer] of [
      ['BUYER_PRIVATE', { org_number: null, is_private: true }],
      ['BUYER_ABROAD', { org_number: RECEIVER, country: 'SE' }],
      ['BUYER_WITHOUT_NUMBER', { org_number: null }],
    ] as const) {
      const uuid = await invoice(customer);
      const nothing = { duty: false, verdict: null, evidence: null };
      expect(await einvoiceOf(uuid)).toEqual({ ...nothing, reason, asked: [] });
      expect(await world.invoice(uuid)).toMatchObject({
        einvoice: { ...nothing, reason, will_be_sent_as: null },
      });
      expect(await lookUpsOf(uuid)).toEqual([]);
    }
    expect(world.dns.asked).toEqual([]);
  });

  test('a credit note is asked about as a credit note', async () => {
    world.smp.receives.set(RECEIVER, ['INVOICE']);
    const uuid = await invoice({ org_number: RECEIVER });
    expect((await world.client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    const { credit_note: note } = await world.invoice(uuid);
    expect((await einvoiceOf(note.invoice_number)).evidence).toMatchObject({
      outcome: 'FORMAT_UNSUPPORTED',
      document_type: 'CREDIT_NOTE',
    });
    world.smp.receives.set(RECEIVER, ['INVOICE', 'CREDIT_NOTE']);
  });

  test('a credit note goes by its invoice’s buyer, who has become a private person since', async () => {
    const number = await createCustomer(world.client, { org_number: RECEIVER });
    const uuid = await createDraft(world.client, number);
    await register(world.client, uuid);
    const { body } = await world.client.get(`/api/customers/${number}/`);
    const person = { ...body, org_number: null, is_private: true };
    expect((await world.client.put(`/api/customers/${number}/update/`, person)).status).toBe(200);
    expect((await world.client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    const { credit_note: note } = await world.invoice(uuid);
    expect(await einvoiceOf(note.invoice_number)).toMatchObject({
      reason: 'BEFORE_2027',
      evidence: { document_type: 'CREDIT_NOTE' },
    });
  });

  test('what does not answer in time is unknown, and registering goes on', async () => {
    world.smp.play = () => undefined;
    const customer = await createCustomer(world.client, { org_number: RECEIVER });
    const uuid = await createDraft(world.client, customer);
    const companyId = await companyIdOf(world.testApp.context.db, OWNER);
    const asked = await askAboutDrafts(world.testApp.context, companyId, [uuid], 100);
    expect([...(asked?.values() ?? [])]).toMatchObject([
      { outcome: 'UNKNOWN', cause: 'TIMEOUT', publisher: 'smp.test' },
    ]);
    world.smp.play = null;
  });

  test('the recipients of an assignment are asked about once, together', async () => {
    const numbers: number[] = [];
    for (let index = 0; index < 25; index += 1) {
      const org_number = [RECEIVER, SILENT, ABSENT][index % 3];
      numbers.push(await createCustomer(world.client, { org_number }));
    }
    const group_uuid = await createGroup(world.client, numbers);
    const day = Number(todayInOslo().slice(8));
    const { uuid } = await addAssignment(world.client, {
      group_uuid,
      mode: 'SEND',
      day,
      delivery_type: 'EMAIL',
    });
    const { status, body } = await world.client.post(`/api/invoices/recurring/${uuid}/run/`);
    expect([status, body.failures, body.invoices.length]).toEqual([200, [], 25]);
    const evidence = await Promise.all(
      body.invoices.map(async (made: string) => (await einvoiceOf(made)).evidence),
    );
    expect(new Set(evidence.map(({ outcome, asked_at }) => `${outcome} ${asked_at}`)).size).toBe(3);
    const sent = await Promise.all(body.invoices.map(async (made: string) => world.invoice(made)));
    const byWay = Object.groupBy(sent, ({ delivery_type }) => delivery_type);
    expect([byWay['EHF']?.length, byWay['EMAIL']?.length]).toEqual([9, 16]);
    // Silence is asked for twice.
    expect(new Set(world.dns.asked.filter((name) => name.includes('.sml.'))).size).toBe(3);
  });
});

describe('EINV-4: after no answer', () => {
  test('it is asked again after 1, 5 and 30 minutes and then each hour, until there is one', async () => {
    const uuid = await invoice({ org_number: SILENT });
    const times = async () => (await einvoiceOf(uuid)).asked.length;
    const ask = async (minutes: number) => {
      await age(uuid, minutes);
      await askAgain(world.testApp.context);
      return times();
    };
    expect(await ask(0.9)).toBe(1);
    expect(await ask(0.2)).toBe(2);
    expect(await ask(4.9)).toBe(2);
    expect(await ask(0.2)).toBe(3);
    expect(await ask(29)).toBe(3);
    expect(await ask(2)).toBe(4);
    expect(await ask(59)).toBe(4);
    expect(await ask(2)).toBe(5);
    world.say(SILENT, 'NXDOMAIN');
    expect(await ask(61)).toBe(6);
    expect(await ask(61)).toBe(6);
    const { verdict, evidence, asked } = await einvoiceOf(uuid);
    expect([verdict, evidence.outcome]).toEqual(['RECIPIENT_CANNOT', 'NOT_REGISTERED']);
    expect(asked.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'NOT_REGISTERED',
      ...Array.from({ length: 5 }, () => 'UNKNOWN'),
    ]);
    expect(await lookUpsOf(uuid)).toHaveLength(6);
  });

  test('companies take turns, however many questions one has', async () => {
    const [first, second] = [SILENT, '910502921'];
    world.say(second, 'SERVFAIL');
    for (const org_number of [first, second]) await age(await invoice({ org_number }), 2);
    const other = await world.testApp.login();
    await completeProfile(other);
    const uuid = await createDraft(other, await createCustomer(other, { org_number: first }));
    await register(other, uuid);
    await age(uuid, 1.5);
    const due = await findDueQuestions(world.testApp.context.db, 2);
    expect(new Set(due.map(({ companyId }) => companyId)).size).toBe(2);
  });

  test('for a day', async () => {
    const uuid = await invoice({ org_number: SILENT });
    const { db } = world.testApp.context;
    await sql`ALTER TABLE invoice DISABLE TRIGGER USER`.execute(db);
    await sql`UPDATE invoice SET registered_at = registered_at - interval '24 hours' WHERE uuid = ${uuid}`.execute(
      db,
    );
    await sql`ALTER TABLE invoice ENABLE TRIGGER USER`.execute(db);
    await age(uuid, 70);
    await askAgain(world.testApp.context);
    expect((await einvoiceOf(uuid)).asked).toHaveLength(1);
  });
});

test('EINV-4: evidence is append-only, and goes with nobody but its document', async () => {
  const uuid = await invoice({ org_number: RECEIVER });
  const { db } = world.testApp.context;
  const refused = 'evidence of e-invoices never changes';
  const those = sql`WHERE invoice_id = (SELECT id FROM invoice WHERE uuid = ${uuid})`;
  for (const statement of [
    sql`UPDATE einvoice_evidence SET outcome = 'NOT_REGISTERED' ${those}`,
    sql`DELETE FROM einvoice_evidence ${those}`,
    sql`TRUNCATE einvoice_evidence`,
  ]) {
    await expect(statement.execute(db)).rejects.toThrow(refused);
  }
  const { current_customer_number: number } = await world.invoice(uuid);
  expect((await world.client.delete(`/api/customers/${number}/`)).status).toBe(204);
  expect((await einvoiceOf(uuid)).evidence.outcome).toBe('REACHABLE');
});

describe('EINV-6: EHF first', () => {
  const draftOf = async (customer: object = {}, changes: object = {}) =>
    createDraft(
      world.client,
      await createCustomer(world.client, { org_number: RECEIVER, ...customer }),
      {
        delivery_type: 'EMAIL',
        ...changes,
      },
    );

  test('a draft for e-mail goes as EHF, in sight before and after', async () => {
    const uuid = await draftOf();
    expect((await world.invoice(uuid)).einvoice).toEqual({
      duty: false,
      reason: 'BEFORE_2027',
      will_be_sent_as: 'EMAIL',
      verdict: null,
      evidence: null,
    });
    const changed = [{ uuid, from: 'EMAIL', to: 'EHF' }];
    const tried = await world.client.post('/api/invoices/queue/?dry_run=true', { uuids: [uuid] });
    expect(tried.body).toMatchObject({ changed, other_way: 0 });
    expect((await world.invoice(uuid)).einvoice.will_be_sent_as).toBe('EHF');
    const { body } = await world.client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`);
    expect(body).toMatchObject({ changed, skipped: [] });
    expect(await world.invoice(uuid)).toMatchObject({
      delivery_type: 'EHF',
      einvoice: { verdict: expect.stringMatching(/^(EHF|OTHER_WAY)$/), will_be_sent_as: null },
    });
    const { body: history } = await world.client.get(`/api/invoices/${uuid}/history/`);
    expect(history).toContainEqual(
      expect.objectContaining({
        kind: 'REGISTERED',
        details: {
          invoice_number: body.registered[0].invoice_number,
          delivery_changed_from: 'EMAIL',
        },
      }),
    );
  });

  // CUS-20
  test.each([
    ['the customer wants e-mail', { ehf_first: false }, {}, 'EMAIL', 1],
    ['the customer cannot', { org_number: ABSENT }, {}, 'EMAIL', 0],
    ['nobody answers', { org_number: SILENT }, {}, 'EMAIL', 0],
    ['it is not to be sent', {}, { delivery_type: 'NONE' }, 'NONE', 1],
  ])('it does not where %s', async (_, customer, changes, type, otherWay) => {
    const uuid = await draftOf(customer, changes);
    const tried = await world.client.post('/api/invoices/queue/?dry_run=true', { uuids: [uuid] });
    expect(tried.body).toMatchObject({ changed: [], other_way: otherWay });
    const { body } = await world.client.post('/api/invoices/queue/', { uuids: [uuid] });
    expect(body).toMatchObject({ changed: [], skipped: [] });
    expect((await world.invoice(uuid)).delivery_type).toBe(type);
  });

  test('a buyer without an e-mail address gets EHF too', async () => {
    const uuid = await draftOf({ email: null });
    expect((await world.invoice(uuid)).obstacles).toHaveLength(1);
    await world.client.post('/api/invoices/queue/?dry_run=true', { uuids: [uuid] });
    // It is known by now.
    expect((await world.invoice(uuid)).obstacles).toBeUndefined();
    await register(world.client, uuid);
    expect((await world.invoice(uuid)).delivery_type).toBe('EHF');
  });
});

describe('EINV-5: from 2027', () => {
  const listed = async (verdicts: string) => {
    const { status, body } = await world.client.get(`/api/invoices/?einvoice=${verdicts}`);
    return status === 200 ? body.results.map(({ uuid }: { uuid: string }) => uuid) : status;
  };

  test('a document has duty by the day of its registering, and is listed by its verdict', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-31T23:30:00+01:00') });
    const before = await invoice({ org_number: RECEIVER }, { issue_date: '2027-01-05' });
    vi.setSystemTime(new Date('2027-01-01T00:00:00+01:00'));
    const other = await invoice({ org_number: RECEIVER }, { issue_date: '2026-12-31' });
    const cannot = await invoice({ org_number: ABSENT });
    const silent = await invoice({ org_number: SILENT });
    const ehf = await invoice({ org_number: RECEIVER }, { delivery_type: 'EMAIL' });
    await invoice({ org_number: null, is_private: true });
    expect(await einvoiceOf(before)).toMatchObject({
      duty: false,
      reason: 'BEFORE_2027',
      verdict: 'OTHER_WAY',
    });
    expect(await einvoiceOf(other)).toMatchObject({
      duty: true,
      reason: 'BUSINESS',
      verdict: 'OTHER_WAY',
    });
    const staff = await world.testApp.login(STAFF_EMAIL);
    await staff.post('/api/invoices/send/');
    await expect.poll(async () => (await world.invoice(ehf)).delivery_status).toBe('SENT');
    expect(await listed('OTHER_WAY')).toEqual([other]);
    expect(await listed('RECIPIENT_CANNOT')).toEqual([cannot]);
    expect(await listed('NO_ANSWER')).toEqual([silent]);
    expect(await listed('EHF')).toEqual([ehf]);
    expect(await listed('RECIPIENT_CANNOT,NO_ANSWER,EHF,OTHER_WAY')).toEqual([
      ehf,
      silent,
      cannot,
      other,
    ]);
    vi.useRealTimers();
    const period = { from: '2026-12-01', to: '2027-12-31' };
    const { uuid } = await makeExport(world.client, { kind: 'XLSX', ...period });
    const file = await bytesAt(world.testApp, world.client, `/api/exports/${uuid}/file/`);
    const sheet = read(Buffer.from(file)).Sheets['Fakturaer'] ?? {};
    const rows = utils.sheet_to_json<{ 'E-faktura': string }>(sheet, { defval: null });
    expect(rows.slice(-6).map((row) => row['E-faktura'])).toEqual([
      null,
      'Annen måte',
      'Kunne ikke motta',
      'Uten svar',
      'EHF',
      null,
    ]);
    for (const wrong of ['ehf', 'EHF,', 'EHF,NO', 'EHF%00']) expect(await listed(wrong)).toBe(400);
  });

  test('what was stopped before it was sent is not listed, nor is its credit note', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-01T12:00:00Z') });
    const uuid = await invoice({ org_number: ABSENT }, { delivery_type: 'EMAIL' });
    const found = await listed('RECIPIENT_CANNOT');
    expect(found).toContain(uuid);
    expect((await world.client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    const { credit_note: note } = await world.invoice(uuid);
    const after = await listed('RECIPIENT_CANNOT,NO_ANSWER,EHF,OTHER_WAY');
    expect(after).not.toContain(uuid);
    expect(after).not.toContain(note.uuid);
  });
});

test('EINV-1: without a network nothing is asked, and the document says so', async () => {
  const plain = await startTestApp({ FEATURES: 'einvoice' });
  const client = await plain.login();
  await completeProfile(client);
  const uuid = await createDraft(client, await createCustomer(client));
  expect((await client.get(`/api/invoices/${uuid}/einvoice/`)).status).toBe(409);
  await register(client, uuid);
  const { body } = await client.get(`/api/invoices/${uuid}/einvoice/`);
  expect(body).toMatchObject({
    verdict: 'NO_ANSWER',
    evidence: { outcome: 'NOT_ASKED', network: null, asked_at: null },
  });
  const { body: history } = await client.get(`/api/invoices/${uuid}/history/`);
  expect(history.map(({ kind }: { kind: string }) => kind)).toEqual(['REGISTERED', 'CREATED']);
  await plain.close();
});
