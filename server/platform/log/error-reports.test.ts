import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { readConfig } from '../../config.ts';
import { openErrorReports, type ErrorReports } from './error-reports.ts';
import { AppError } from '../../errors.ts';
import { createServer } from '../http/server.ts';

/** Requests received by a fake Sentry. */
const received: { url: string; body: string }[] = [];
let sentry: Server;
let dsn: string;

async function receive(request: IncomingMessage): Promise<void> {
  const bytes = await buffer(request);
  const isZipped = request.headers['content-encoding'] === 'gzip';
  received.push({
    url: request.url ?? '',
    body: (isZipped ? gunzipSync(bytes) : bytes).toString('utf8'),
  });
}

beforeAll(async () => {
  sentry = createHttpServer((request, response) => {
    void receive(request).finally(() => response.end('{}'));
  });
  await new Promise<void>((resolve) => sentry.listen(0, '127.0.0.1', resolve));
  dsn = `http://key@127.0.0.1:${(sentry.address() as AddressInfo).port}/7`;
});
afterAll(() => {
  sentry.close();
});

test('without a DSN nothing is sent', async () => {
  const reports = await openErrorReports({ sentryDsn: null, publicUrl: 'http://localhost:3000' });
  reports.report(new Error('nobody hears'), {});
  await reports.close();
  expect(received).toEqual([]);
});

test('an internal error is reported with its request, without private data', async () => {
  // One request in ten is traced; this traces all.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const config = readConfig({ DATA_DIR: '/tmp/faktur-error-reports', SENTRY_DSN: dsn });
  const reports: ErrorReports = await openErrorReports(config);
  const app = await createServer(config, pino({ level: 'silent' }), reports);
  app.get('/refused', async () => {
    throw new AppError('profile_incomplete');
  });
  // Reports quote the source code around a fault, so secrets must not be literals here.
  const secret = randomUUID();
  app.post('/broken', async () => {
    throw new Error(`the numbers of ${secret}@example.no do not add up`);
  });
  const shared = async () => {
    throw new Error('the file is gone');
  };
  for (const url of [
    '/delt/eksport/:token/',
    '/delt/:token/',
    '/kunde/:token/dokument/:n/',
    '/api/shared/:token/',
    '/api/portal/:token/',
    '/tilbud/:token/pdf/',
    '/api/offers/:token/',
  ]) {
    app.get(url, shared);
  }
  for (const url of ['/delt/:token/', '/api/shared/:token/code/', '/api/members/accept/']) {
    app.post(url, shared);
  }
  app.get('/auth/invitation/', shared);
  const tried = [
    `GET /delt/eksport/${secret}/`,
    `GET /%64elt/eksport/${secret}/`,
    `GET /delt/${secret}/`,
    `GET /d%65lt/${secret}/`,
    `GET /kunde/${secret}/dokument/1/`,
    `GET /k%75nde//${secret}/dokument/1/`,
    `GET /api/shared/${secret}/`,
    `GET /api/port%61l/${secret}/`,
    `GET /t%69lbud/${secret}/pdf/`,
    `GET /api/off%65rs/${secret}/`,
    `GET /api/sh%61red/${secret}/?token=${secret}`,
    `POST /delt/${secret}/`,
    `POST /api/shared/${secret}/code/`,
    `POST /api/members/accept/`,
    `GET /auth/invitation/?token=${secret}`,
    `GET /auth/invit%61tion/?token=${secret}`,
  ];
  for (const call of tried) {
    const [method, url] = call.split(' ') as ['GET' | 'POST', string];
    const payload = method === 'POST' ? { token: secret, code: secret } : undefined;
    const { statusCode } = await app.inject({ method, url, ...(payload && { payload }) });
    expect([call.replace(secret, '…'), statusCode]).toEqual([call.replace(secret, '…'), 500]);
  }
  const headers = { cookie: `faktur_session=${secret}` };
  expect((await app.inject({ url: '/refused', headers })).statusCode).toBe(409);
  const answer = await app.inject({
    method: 'POST',
    url: `/broken?token=${secret}&query=${secret}`,
    headers: { ...headers, 'x-forwarded-for': secret },
    payload: { email: `${secret}@example.no` },
  });
  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toContain('numbers');
  await app.close();
  await reports.close();
  vi.restoreAllMocks();
  const sent = received.map((envelope) => envelope.body).join('\n');
  expect(received.every((envelope) => envelope.url.startsWith('/api/7/envelope/'))).toBe(true);
  expect(sent).toContain('the numbers of …@… do not add up');
  expect(sent).toContain('/broken');
  expect(sent).toContain('the file is gone');
  expect(sent).not.toContain(secret);
  expect(sent).not.toContain('"value":"profile_incomplete"');
});
