import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, afterEach, describe, expect, test } from 'vitest';

import { readConfig } from '../../config.ts';
import { openErrorReports } from '../log/error-reports.ts';
import { servePages } from './pages.ts';
import { createServer } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'faktur-server-'));
afterAll(() => rmSync(folder, { recursive: true }));

let app: FastifyInstance | undefined;
afterEach(async () => {
  app?.server.closeAllConnections();
  await app?.close();
  app = undefined;
});

async function serve(settings: NodeJS.ProcessEnv = {}): Promise<FastifyInstance> {
  const config = readConfig({ DATA_DIR: folder, ...settings });
  const reports = await openErrorReports({ ...config, sentryDsn: null });
  app = await createServer(config, pino({ level: 'silent' }), reports);
  app.get('/', async () => 'a page');
  app.get('/healthz', async () => 'ok');
  app.get('/api/thing/', (request, reply) => reply.send({ ip: request.ip }));
  app.post('/api/thing/', async () => ({}));
  return app;
}

/** Sends raw bytes and returns the received bytes until the server closes the connection. */
async function sendRaw(text: string, options: { trickle?: string } = {}): Promise<string> {
  const server = app ?? (await serve());
  await server.listen({ port: 0, host: '127.0.0.1' });
  const address = server.server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    const { trickle } = options;
    const timer = setInterval(() => trickle !== undefined && socket.write(trickle), 500);
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(answer);
    });
  });
}

describe('the headers of every answer', () => {
  test('let a page load scripts and styles only from here, and no other site frame it', async () => {
    const server = await serve();
    const { headers } = await server.inject('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test('let the browser call the business register and the error reports', async () => {
    const server = await serve({
      BUSINESS_REGISTER_URL: 'https://register.example/api',
      SENTRY_DSN: 'https://key@faults.example/1',
    });
    const { headers } = await server.inject('/');
    expect(headers['content-security-policy']).toContain(
      "connect-src 'self' https://register.example https://faults.example;",
    );
  });

  test('give API data no rights at all, errors included', async () => {
    const server = await serve();
    for (const url of ['/api/thing/', '/api/nothing/']) {
      const { headers } = await server.inject(url);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    }
  });

  test('require https when the public address uses it', async () => {
    const server = await serve({ PUBLIC_URL: 'https://faktur.example' });
    const { headers } = await server.inject('/');
    expect(headers['strict-transport-security']).toBe('max-age=63072000');
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
  });
});

describe('limits', () => {
  test('a body of more than a megabyte is refused', async () => {
    const server = await serve();
    const answer = await server.inject({
      method: 'POST',
      url: '/api/thing/',
      headers: { 'content-type': 'application/json' },
      payload: `"${'x'.repeat(1024 * 1024)}"`,
    });
    expect(answer.statusCode).toBe(413);
  });

  test('headers of more than 16 kB are refused', async () => {
    const answer = await sendRaw(
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('an address of more than 16 kB is refused', async () => {
    const answer = await sendRaw(`GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 4(14|31) /);
  });

  test('a request with two lengths is refused (request smuggling)', async () => {
    const answer = await sendRaw(
      'POST /api/thing/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('headers that arrive a byte at a time are cut off within fifteen seconds', async () => {
    const began = performance.now();
    const answer = await sendRaw('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', { trickle: 'x' });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  // WIRE-15
  test('with REQUESTS_PER_MINUTE an address with more requests is refused, but not its health checks', async () => {
    const server = await serve({ REQUESTS_PER_MINUTE: '3' });
    const statuses = [];
    for (let call = 0; call < 4; call += 1) {
      statuses.push((await server.inject('/api/thing/')).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await server.inject('/');
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await server.inject('/healthz')).statusCode).toBe(200);
    const other = await server.inject({ url: '/', remoteAddress: '192.0.2.7' });
    expect(other.statusCode).toBe(200);
  });
});

test('a request on an open connection is answered while the server stops', async () => {
  const server = await serve();
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  await sleep(100);
  const closed = server.close();
  await sleep(100);
  socket.write('\r\n');
  const answer = (await socket.toArray()).join('');
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*\r\n\r\nok$/i);
  await closed;
});

describe('the page', () => {
  test('is at every address outside the API and the files, for GET and HEAD alike', async () => {
    const server = await serve();
    writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    writeFileSync(join(folder, 'landing.html'), '<p>');
    await servePages(server, { config: readConfig({ DATA_DIR: folder }) }, folder);
    for (const url of ['/invoices/', '/auth/login/', '/nothing']) {
      const page = await server.inject(url);
      expect([page.statusCode, page.body]).toEqual([200, '<!doctype html>']);
      const head = await server.inject({ method: 'HEAD', url });
      expect([head.statusCode, head.headers['content-type']]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
    }
    for (const url of ['/api/nothing/', '/assets/old.js']) {
      expect((await server.inject(url)).statusCode).toBe(404);
      expect((await server.inject({ method: 'HEAD', url })).statusCode).toBe(404);
    }
    expect((await server.inject({ method: 'POST', url: '/invoices/' })).statusCode).toBe(404);
  });
});

// ACC-15
describe('the address of the client', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9, 192.0.2.7' };

  test('is that of the connection, regardless of headers', async () => {
    const server = await serve();
    const answer = await server.inject({ url: '/api/thing/', headers: forwarded });
    expect(answer.json()).toEqual({ ip: '127.0.0.1' });
  });

  test('is what the one trusted proxy saw, not what the client told the proxy', async () => {
    const server = await serve({ TRUST_PROXY: 'yes' });
    const answer = await server.inject({ url: '/api/thing/', headers: forwarded });
    expect(answer.json()).toEqual({ ip: '192.0.2.7' });
  });
});
