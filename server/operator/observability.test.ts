import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft } from '../testing/factories.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

let smtp: MailServer;
let testApp: TestApp;
let guarded: TestApp;
let client: TestClient;
const lines: string[] = [];

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp(
    { SMTP_URL: smtp.url, LOG_LEVEL: 'debug', PUBLIC_URL: 'http://localhost:3000' },
    { logStream: { write: (line) => void lines.push(line) } },
  );
  guarded = await startTestApp({ METRICS_TOKEN: 'hemmelig' });
  client = await testApp.login();
  await completeProfile(client);
});

afterAll(async () => {
  await testApp.close();
  await guarded.close();
  await smtp.close();
});

async function readMetrics(): Promise<string> {
  return (await testApp.visitor().get('/metrics')).text;
}

test('effects of a request are logged with the request, down to the mail', async () => {
  const customer = await createCustomer(client);
  const draft = await createDraft(client, customer, { delivery_type: 'EMAIL' });
  const answer = await client.post(`/api/invoices/queue/?invoice_uuid=${draft}`);
  const requestId = answer.headers['x-request-id'];
  const entries = await until(
    () =>
      lines
        .map((line) => JSON.parse(line) as Record<string, string | undefined>)
        .filter((entry) => entry['requestId'] === requestId),
    (found) => found.some(({ msg, job }) => msg === 'job done' && job === 'deliver'),
  );
  const said = entries.map(({ msg, job }) => [job, msg].filter(Boolean).join(': '));
  expect(said).toContain('request completed');
  expect(said).toContain('dispatch: job done');
  expect(said).toContain('delivered');
});

test('a database error is logged without user data', async () => {
  const { db } = testApp.context;
  await sql`ALTER TABLE customer ADD CONSTRAINT no_secrets CHECK (city <> 'Hemmelig')`.execute(db);
  const answer = await client.post('/api/customers/create/', { name: 'Kari', city: 'Hemmelig' });
  await sql`ALTER TABLE customer DROP CONSTRAINT no_secrets`.execute(db);
  expect(answer.status).toBe(500);
  const entry = lines.find((line) => line.includes('request failed')) ?? '';
  expect(JSON.parse(entry)).toMatchObject({
    err: { message: expect.stringContaining('no_secrets'), code: '23514', table: 'customer' },
  });
  expect(lines.join('')).not.toContain('Hemmelig');
});

test('metrics cover deliveries, queues, durations, routes and the process', async () => {
  await until(readMetrics, (text) => text.includes('faktur_deliveries{status="sent"} 1'));
  smtp.faults.refuseRecipient = () => ({ code: 451, text: '4.7.1 Greylisted' });
  const customer = await createCustomer(client);
  await client.post(
    `/api/invoices/queue/?invoice_uuid=${await createDraft(client, customer, { delivery_type: 'EMAIL' })}`,
  );
  const text = await until(
    readMetrics,
    (found) =>
      found.includes('faktur_deliveries{status="queued"} 1') &&
      found.includes('faktur_queue_waiting_jobs{queue="deliver"} 1') &&
      found.includes('faktur_mail_duration_seconds_count{outcome="refused"}'),
  );
  for (const line of [
    /^faktur_deliveries\{status="pending"\} 0$/m,
    /^faktur_deliveries\{status="failed"\} 0$/m,
    /^faktur_late_payment_rates_missing \d$/m,
    /^faktur_queue_oldest_seconds\{queue="deliver"\} [\d.]+$/m,
    /^faktur_mail_duration_seconds_count\{outcome="accepted"\} 1$/m,
    /^faktur_pdf_duration_seconds_count 2$/m,
    /^faktur_http_request_duration_seconds_count\{method="POST",route="\/api\/invoices\/queue\/?",status="200"\} 2$/m,
    /^nodejs_eventloop_lag_p99_seconds [\d.]+$/m,
    /^process_resident_memory_bytes \d+$/m,
  ]) {
    expect(text).toMatch(line);
  }
  // Paths instead of route patterns would make one series per customer.
  const routes = [...text.matchAll(/route="([^"]*)"/g)].map(([, path]) => path);
  expect(routes).toContain('/api/customers/create/');
  expect(routes.filter((path) => /\d/.test(path ?? ''))).toEqual([]);
});

test('counts over all companies may be of any size, and are read once a minute', async () => {
  const { db } = guarded.context;
  await guarded.login();
  const readSent = async () => {
    const headers = { authorization: 'Bearer hemmelig' };
    const { text } = await guarded.visitor().send({ method: 'GET', url: '/metrics', headers });
    return /^faktur_deliveries\{status="sent"\} (\d+)$/m.exec(text)?.[1];
  };
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    await sql`UPDATE invoice_count SET sent = 3000000000`.execute(db);
    expect(await readSent()).toBe('3000000000');
    await sql`UPDATE invoice_count SET sent = 3000000001`.execute(db);
    vi.advanceTimersByTime(50_000);
    expect(await readSent()).toBe('3000000000');
    vi.advanceTimersByTime(10_000);
    expect(await readSent()).toBe('3000000001');
  } finally {
    vi.useRealTimers();
  }
});

// FEAT-7
test('metrics are for this machine, not for clients behind a proxy', async () => {
  const visitor = testApp.visitor();
  const from = async (remoteAddress: string, headers = {}) =>
    (await visitor.send({ method: 'GET', url: '/metrics', remoteAddress, headers })).status;
  expect(await from('127.0.0.1')).toBe(200);
  expect(await from('::1')).toBe(200);
  expect(await from('10.0.0.7')).toBe(404);
  const said = 'x-forwarded-for x-forwarded-proto x-real-ip forwarded via';
  // Tunnels and content networks may call this machine by its local name.
  const ofTunnels =
    'cf-connecting-ip cf-connecting-ipv6 cf-ray cdn-loop true-client-ip fastly-client-ip x-client-ip x-cluster-client-ip ' +
    'x-original-forwarded-for x-original-host x-forwarded x-azure-clientip x-envoy-external-address x-remote-addr';
  for (const header of `${said} ${ofTunnels}`.split(' ')) {
    expect([header, await from('127.0.0.1', { [header]: '10.0.0.7' })]).toEqual([header, 404]);
  }
});

test('metrics are refused to a client behind a proxy that sends no forwarding header', async () => {
  const visitor = testApp.visitor();
  const of = async (host: string) =>
    (await visitor.send({ method: 'GET', url: '/metrics', headers: { host } })).status;
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
    expect([host, await of(host)]).toEqual([host, 200]);
  }
  for (const host of [
    'faktur.example',
    'localhost.example',
    '127.0.0.1.example',
    '10.0.0.7:3000',
  ]) {
    expect([host, await of(host)]).toEqual([host, 404]);
  }
});

test.each([
  ['a public address', { PUBLIC_URL: 'https://faktur.example' }],
  ['a trusted proxy', { PUBLIC_URL: 'http://localhost:3000', TRUST_PROXY: 'yes' }],
])('metrics need a token with %s: the proxy may call us by our own name', async (_, settings) => {
  const behind = await startTestApp(settings);
  try {
    expect((await behind.visitor().get('/metrics')).status).toBe(404);
  } finally {
    await behind.close();
  }
});

// FEAT-7
test('metrics with a token are for any client that has it', async () => {
  const visitor = guarded.visitor();
  const as = async (authorization: string) =>
    (
      await visitor.send({
        method: 'GET',
        url: '/metrics',
        remoteAddress: '10.0.0.7',
        headers: { authorization },
      })
    ).status;
  expect(await as('Bearer hemmelig')).toBe(200);
  expect(await as('Bearer feil')).toBe(404);
  expect(await as('')).toBe(404);
  expect((await visitor.get('/metrics')).status).toBe(404);
});
