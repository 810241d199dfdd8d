import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../../testing/factories.ts';

const folder = mkdtempSync(join(tmpdir(), 'faktur-answers-'));
const TOO_LARGE = `"${'x'.repeat(1024 * 1024)}"`;

let testApp: TestApp;
let client: TestClient;
let uuid: string;
let logged = '';

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  for (const page of ['index.html', 'landing.html']) {
    writeFileSync(join(folder, page), '<!doctype html><title>Faktur</title>');
  }
  writeFileSync(join(folder, 'assets', 'app.js'), 'export {};');
  testApp = await startTestApp(
    { PUBLIC_URL: 'https://faktur.example', LOG_LEVEL: 'trace', METRICS_TOKEN: 'hemmelig' },
    { webFolder: folder, logStream: { write: (text) => void (logged += text) } },
  );
  testApp.app.http.get('/api/broken/', async () => Promise.reject(new Error('Innmat')));
  client = await testApp.login();
  await completeProfile(client);
  uuid = await createDraft(client, await createCustomer(client));
  await register(client, uuid);
});
afterAll(async () => {
  await testApp.close();
  rmSync(folder, { recursive: true });
});

const post = (url: string, payload: string | object, headers = {}): InjectOptions => ({
  method: 'POST',
  url,
  payload,
  headers: { 'content-type': 'application/json', ...headers },
});

/** One of every kind: the request, the status, and whether the answer is data. */
const KINDS: [name: string, ask: () => InjectOptions, status: number, isData: boolean][] = [
  ['the page', () => ({ url: '/' }), 200, false],
  ['a page within', () => ({ url: '/invoices/1/' }), 200, false],
  ['a page, its headers alone', () => ({ method: 'HEAD', url: '/' }), 200, false],
  ['a file', () => ({ url: '/assets/app.js' }), 200, false],
  ['no file', () => ({ url: '/assets/gone.js' }), 404, false],
  ['the settings of the browser', () => ({ url: '/config.json' }), 200, false],
  ['a list', () => ({ url: '/api/invoices/' }), 200, true],
  ['a list by another address', () => ({ url: '//api//invoices/' }), 200, true],
  ['a list by a coded address', () => ({ url: '/%61pi/invoices/' }), 200, true],
  ['an EHF', () => ({ url: '/api/invoices/1/efaktura/' }), 200, true],
  ['a PDF', () => ({ url: `/invoices/${uuid}/pdf/` }), 200, false],
  [
    'the login instead',
    () => ({ url: `/invoices/${uuid}/pdf/`, headers: { cookie: '' } }),
    302,
    false,
  ],
  ['the page with the button instead', () => ({ url: '/api/emails/unsubscribe/' }), 303, true],
  ['the description', () => ({ url: '/api/openapi.json' }), 200, true],
  ['no content', () => post('/api/users/login/email/', { email: 'a@example.no' }), 204, true],
  ['wrong input', () => post('/api/users/login/email/', { email: 'a' }), 400, true],
  ['wrong JSON', () => post('/api/users/login/email/', '{'), 400, true],
  ['no session', () => ({ url: '/api/invoices/', headers: { cookie: '' } }), 401, true],
  ['not staff', () => post('/api/invoices/send/', {}), 403, true],
  [
    'another site',
    () => post('/api/invoices/send/', {}, { origin: 'https://evil.example' }),
    403,
    true,
  ],
  ['no such thing', () => ({ url: '/api/customers/99/' }), 404, true],
  ['no such call', () => ({ url: '/api/nothing/' }), 404, true],
  ['no such method', () => ({ method: 'DELETE', url: '/api/invoices/' }), 404, true],
  [
    'against the state',
    () => post(`/api/invoices/${uuid}/update/`, { status: 'DRAFT' }),
    409,
    true,
  ],
  ['too large', () => post('/api/customers/create/', TOO_LARGE), 413, true],
  [
    'not JSON',
    () => post('/api/customers/create/', 'a=b', { 'content-type': 'text/xml' }),
    415,
    true,
  ],
  ['an address that cannot be read', () => ({ url: '/api/customers/%E0%A4%A/' }), 400, true],
  ['a fault of ours', () => ({ url: '/api/broken/' }), 500, true],
  ['health', () => ({ url: '/healthz' }), 200, false],
  ['readiness', () => ({ url: '/readyz' }), 200, false],
  [
    'metrics',
    () => ({ url: '/metrics', headers: { authorization: 'Bearer hemmelig' } }),
    200,
    false,
  ],
];

const COMMON = {
  'strict-transport-security': 'max-age=63072000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

// WIRE-11, WIRE-15
describe('the security headers are on every kind of answer:', () => {
  test.each(KINDS)('%s', async (kind, ask, status, isData) => {
    const { headers, ...rest } = ask();
    const answer = await testApp.app.http.inject({
      ...rest,
      headers: { cookie: client.cookieHeader, ...headers },
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject(COMMON);
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy.includes('script-src')).toBe(!isData);
    const data = kind === 'the description' ? /^no-cache$/ : /^no-store$/;
    expect(String(answer.headers['cache-control'])).toMatch(isData ? data : /./);
    expect(answer.body).not.toContain('Innmat');
  });

  test('the page of the API', async () => {
    const { headers } = await testApp.app.http.inject('/api/docs/');
    expect(headers).toMatchObject(COMMON);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('bytes that are not a request, which are not logged', async () => {
    const socket = connect(await testApp.app.listen(), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.write(
      'GET / HTTP/1.1\r\nHost: x\r\nCookie: faktur_session=hemmelig\r\nno header\r\n\r\n',
    );
    await once(socket, 'close');
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    for (const [name, value] of Object.entries(COMMON)) expect(head).toContain(`${name}: ${value}`);
    expect(head).toContain("content-security-policy: default-src 'none'");
    expect(JSON.parse(body)).toEqual({ detail: [{ message: 'Bad Request' }] });
    expect(logged).toContain('connection refused');
    expect(logged).not.toContain('hemmelig');
    // The form of a buffer in JSON.
    expect(logged).not.toContain([...Buffer.from('hemmelig')].join(','));
  });
});
