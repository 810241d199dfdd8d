import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCommand } from '../../../operator/run-command.ts';
import { organisationName } from './participant.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import type { TestClient } from '../../../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  PROFILE,
} from '../../../testing/factories.ts';
import { startFakeDns, type FakeDns } from '../../../testing/peppol/fake-dns.ts';
import { startFakeSmp, type FakeSmp } from '../../../testing/peppol/fake-smp.ts';

const OWNER = 'kari@example.no';
const ZONE = 'sml.test';
const CUSTOMER_ORG = '974760673';
const SETTINGS = {
  ACCESS_POINT: 'phoss-ap',
  ACCESS_POINT_URL: 'http://127.0.0.1:1',
  ACCESS_POINT_TOKEN: 'token',
  PEPPOL_SML_ZONE: ZONE,
};

let dns: FakeDns;
let smp: FakeSmp;
let testApp: TestApp;
let client: TestClient;

beforeAll(async () => {
  dns = await startFakeDns();
  smp = await startFakeSmp();
  const settings = { ...SETTINGS, PEPPOL_DNS: dns.address };
  testApp = await startTestApp(settings, { peppolWire: smp.wire });
  client = await testApp.login(OWNER);
});

afterAll(async () => {
  await testApp.close();
  await smp.close();
  await dns.close();
});

async function ehf(...args: string[]): Promise<{ exit: number; lines: string[] }> {
  const lines: string[] = [];
  const output = { line: (text: string) => lines.push(text), bytes: async () => undefined };
  const exit = await runCommand(testApp.context, 'ehf', args, output);
  return { exit, lines };
}

const agreement = async () => (await client.get('/api/users/ehf-agreement/')).body;

describe('the agreement', () => {
  // EHF-2
  test('needs a whole profile, so that an operator sees who asks', async () => {
    expect(await agreement()).toEqual({
      status: 'NONE',
      org_number: null,
      requested_at: null,
      approved_at: null,
    });
    expect((await client.post('/api/users/ehf-agreement/')).status).toBe(409);
    await completeProfile(client);
  });

  // EHF-2, EHF-3
  test('is asked for, approved and revoked, and can be asked for anew', async () => {
    expect(await ehf('approve', OWNER)).toEqual({
      exit: 1,
      lines: [`${OWNER} has not asked for EHF.`],
    });
    const { status, body } = await client.post('/api/users/ehf-agreement/');
    expect([status, body]).toMatchObject([200, { status: 'REQUESTED', org_number: '123456785' }]);
    const again = await client.post('/api/users/ehf-agreement/');
    expect(again.body).toEqual(body);
    expect((await ehf('list')).lines).toEqual([
      expect.stringMatching(
        /^REQUESTED {2}\d{4}-\d\d-\d\d {2}123456785 {2}kari@example.no {2}Snekker/,
      ),
    ]);
    expect((await ehf('approve', OWNER, '--entity', '4711')).lines).toEqual([
      `${OWNER} may send EHF in the name of 123456785 now.`,
    ]);
    expect(await agreement()).toMatchObject({
      status: 'ACTIVE',
      approved_at: expect.stringContaining('T'),
    });
    expect((await client.post('/api/users/ehf-agreement/')).body.status).toBe('ACTIVE');
    expect((await ehf('revoke', OWNER)).exit).toBe(0);
    expect(await agreement()).toMatchObject({ status: 'REVOKED', approved_at: null });
    expect((await ehf('revoke', OWNER)).exit).toBe(1);
    expect((await ehf('approve', OWNER)).exit).toBe(1);
    expect((await client.post('/api/users/ehf-agreement/')).body.status).toBe('REQUESTED');
    // Storecove's entity of the voided agreement does not pass to the new request.
    expect((await ehf('list')).lines).toEqual([expect.not.stringContaining('4711')]);
  });

  // EHF-3, EHF-5
  test('holds for the organisation number that was approved, and for no other', async () => {
    await ehf('approve', OWNER);
    const save = async (changes: object) => {
      const { version } = (await client.get('/api/users/profile/')).body;
      await completeProfile(client, { version, ...changes });
    };
    await save({ billing_city: 'Bergen' });
    expect((await agreement()).status).toBe('ACTIVE');
    await save({ org_number: '923609016' });
    expect((await agreement()).status).toBe('REVOKED');
    await save({ org_number: PROFILE.org_number });
    expect((await agreement()).status).toBe('REVOKED');
    dns.names.set(organisationName('987654325', ZONE), 'SERVFAIL');
    const customer = await createCustomer(client, { org_number: '987654325' });
    const draft = await createDraft(client, customer, { delivery_type: 'EHF' });
    expect(await client.post(`/api/invoices/queue/?invoice_uuid=${draft}`)).toMatchObject({
      status: 409,
      body: { detail: [{ message: 'The company has no active agreement to send EHF' }] },
    });
  });

  test('of whom there is no account, or with words too many, is told to the operator', async () => {
    expect((await ehf('approve', 'nobody@example.no')).exit).toBe(1);
    for (const args of [[], ['approve'], ['list', 'a', 'b'], ['approve', OWNER, '--entity', 'x']]) {
      expect((await ehf(...args)).exit).toBe(2);
    }
  });
});

// EHF-8
describe('whether a customer takes EHF', () => {
  const ask = async (number: number) => client.get(`/api/customers/${number}/ehf/`);
  const age = async (hours: number) =>
    sql`UPDATE peppol_answer SET checked_at = checked_at - make_interval(hours => ${hours})`.execute(
      testApp.context.db,
    );

  // EHF-10
  test('is asked of the network, kept for a day when yes and for an hour when no', async () => {
    const customer = await createCustomer(client);
    dns.names.set(organisationName(CUSTOMER_ORG, ZONE), { publisher: 'https://smp.test' });
    dns.names.set('smp.test', { addresses: ['93.184.215.14'] });
    expect((await ask(customer)).body.status).toBe('FORMAT_UNSUPPORTED');
    smp.receives.set(CUSTOMER_ORG, ['INVOICE', 'CREDIT_NOTE']);
    expect((await ask(customer)).body.status).toBe('FORMAT_UNSUPPORTED');
    await age(1);
    expect((await ask(customer)).body).toEqual({
      status: 'REACHABLE',
      checked_at: expect.stringContaining('T'),
    });
    dns.names.set(organisationName(CUSTOMER_ORG, ZONE), 'NXDOMAIN');
    await age(23);
    expect((await ask(customer)).body.status).toBe('REACHABLE');
    await age(1);
    expect((await ask(customer)).body.status).toBe('NOT_REGISTERED');
    // An answer of another network does not count.
    await sql`UPDATE peppol_answer SET network = 'production'`.execute(testApp.context.db);
    dns.names.set(organisationName(CUSTOMER_ORG, ZONE), { publisher: 'https://smp.test' });
    expect((await ask(customer)).body.status).toBe('REACHABLE');
  });

  test('is unknown, and not kept, when the network does not answer', async () => {
    const customer = await createCustomer(client, { org_number: '923609016' });
    dns.names.set(organisationName('923609016', ZONE), 'SERVFAIL');
    expect((await ask(customer)).body.status).toBe('UNKNOWN');
    dns.names.set(organisationName('923609016', ZONE), 'NXDOMAIN');
    expect((await ask(customer)).body.status).toBe('NOT_REGISTERED');
  });

  test('is no, without asking, of one without a true organisation number', async () => {
    dns.asked.length = 0;
    for (const org_number of [null, '974760672']) {
      const customer = await createCustomer(client, { org_number });
      expect((await ask(customer)).body).toEqual({ status: 'NOT_REGISTERED', checked_at: null });
    }
    expect(dns.asked).toEqual([]);
    expect((await ask(999)).status).toBe(404);
  });

  test('is told to an operator, step by step', async () => {
    dns.names.set(organisationName(CUSTOMER_ORG, ZONE), { publisher: 'https://smp.test' });
    expect(await ehf('probe', CUSTOMER_ORG)).toEqual({
      exit: 0,
      lines: [
        `Network test, zone ${ZONE}`,
        `${CUSTOMER_ORG} INVOICE: reachable`,
        `${CUSTOMER_ORG} CREDIT_NOTE: reachable`,
      ],
    });
    expect((await ehf('probe', '974760672')).exit).toBe(2);
  });
});

test('without an access point there is nothing of it', async () => {
  const plain = await startTestApp();
  const visitor = await plain.login();
  const customer = await createCustomer(visitor);
  for (const path of ['/api/users/ehf-agreement/', `/api/customers/${customer}/ehf/`]) {
    expect((await visitor.get(path)).status).toBe(404);
  }
  expect((await visitor.post('/api/users/ehf-agreement/')).status).toBe(404);
  expect((await visitor.get('/api/users/session/')).body.features).not.toContain('ehf');
  const { body } = await plain.visitor().get('/api/openapi.json');
  expect(JSON.stringify(body)).not.toContain('ehf-agreement');
  await plain.close();
});
