import { createHash } from 'node:crypto';
import { connect } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { defineEndpoint } from '../../../domain/api/endpoint.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/client.ts';
import { until } from '../../testing/until.ts';
import { route } from './route.ts';
import { uploadOf, wholeUploadOf } from './bodies.ts';

const MOST = 3_000_000;
const URL_OF_CALL = '/api/payments/fixture/';

const upload = defineEndpoint({
  id: 'upload',
  method: 'POST',
  path: URL_OF_CALL,
  summary: 'Takes a file',
  permission: 'payments',
  upload: MOST,
  response: z.object({ bytes: z.number(), sha256: z.string() }),
});

let testApp: TestApp;
let client: TestClient;
let port: number;
/** The largest number of files in memory at once. */
let mostAtOnce = 0;
let atOnce = 0;
const release = Promise.withResolvers<void>();

const whole = defineEndpoint({
  id: 'whole',
  method: 'POST',
  path: '/api/payments/whole/',
  summary: 'Takes a file as a whole',
  permission: 'payments',
  upload: MOST,
  response: z.object({ bytes: z.number() }),
});

/** The received bytes of each upload, and how it ended. */
const seen: string[] = [];
const log: string[] = [];

beforeAll(async () => {
  testApp = await startTestApp(
    { LOG_LEVEL: 'info' },
    { logStream: { write: (line) => log.push(line) } },
  );
  route(testApp.app.http, upload, async (_input, { request }) => {
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      for await (const chunk of uploadOf(request)) {
        bytes += chunk.length;
        hash.update(chunk);
      }
      seen.push('whole');
    } catch (error) {
      seen.push('broken');
      throw error;
    }
    return { bytes, sha256: hash.digest('hex') };
  });
  route(testApp.app.http, whole, async (_input, { request, reply }) => {
    const file = await wholeUploadOf(request, reply);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await release.promise;
    atOnce -= 1;
    // The whole memory of the file, which a copy would double.
    return { bytes: file.buffer.byteLength };
  });
  client = await testApp.login();
  port = await testApp.app.listen();
});
afterAll(async () => testApp.close());

const BYTES = { 'content-type': 'application/octet-stream' };

async function send(
  payload: Buffer,
  headers: Record<string, string> = BYTES,
  { url = URL_OF_CALL, caller = client } = {},
) {
  const response = await fetch(`http://127.0.0.1:${port}${url}`, {
    method: 'POST',
    headers: { cookie: caller.cookieHeader, ...headers },
    body: new Uint8Array(payload),
  });
  return { status: response.status, body: await response.json() };
}

test('a file arrives unchanged, even if larger than other bodies may be', async () => {
  const file = Buffer.alloc(MOST, 'æ\0\r\n{');
  expect(await send(file)).toEqual({
    status: 200,
    body: { bytes: MOST, sha256: createHash('sha256').update(file).digest('hex') },
  });
});

test('four files are held at once, one of a company, in one copy; more than eleven of a company do not wait', async () => {
  const callers = [client];
  for (let index = 0; index < 4; index += 1) callers.push(await testApp.login());
  const one = async (caller: TestClient) =>
    send(Buffer.alloc(1_000_000), BYTES, { url: whole.path, caller });
  const first = callers.flatMap((caller) => [one(caller), one(caller)]);
  await until(
    () => atOnce,
    (count) => count === 4,
  );
  let refused = 0;
  const many = Array.from({ length: 20 }, async () => {
    const answer = await one(client);
    if (answer.status === 503) refused += 1;
    return answer;
  });
  // Those that find no room to wait are answered while the others wait.
  await until(
    () => refused,
    (count) => count >= 9,
  );
  expect(mostAtOnce).toBe(4);
  release.resolve();
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(9);
  expect(new Set(await Promise.all(first))).toContainEqual({
    status: 200,
    body: { bytes: 1_000_000 },
  });
  expect(mostAtOnce).toBe(4);
});

test('no file counts as an empty one', async () => {
  expect((await send(Buffer.alloc(0))).body).toMatchObject({ bytes: 0 });
  expect((await client.post(URL_OF_CALL)).body).toMatchObject({ bytes: 0 });
});

// WIRE-16
test('one that is too large is refused, even without a declared length', async () => {
  expect(await send(Buffer.alloc(MOST + 1))).toEqual({
    status: 413,
    body: { detail: [{ message: 'The body is too large' }] },
  });
  const chunks = { ...BYTES, 'transfer-encoding': 'chunked' };
  const answer = await raw(chunks, `${(MOST + 1).toString(16)}\r\n${'x'.repeat(MOST + 1)}\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
});

test('anything but plain bytes is refused', async () => {
  expect(await send(Buffer.from('{}'), { 'content-type': 'application/json' })).toEqual({
    status: 415,
    body: { detail: [{ message: 'Content-Type must be application/octet-stream' }] },
  });
});

test('an upload route does not change how other bodies are read', async () => {
  const answer = await client.post('/api/customers/create/', { name: 'Kari' });
  expect(answer.status).toBe(201);
});

test('other calls accept no bytes', async () => {
  const answer = await client.send({
    method: 'POST',
    url: '/api/customers/create/',
    headers: BYTES,
    payload: Buffer.from('x'),
  });
  expect(answer.status).toBe(415);
});

test('bodies that stop before their end fill no memory, and keep nobody from small calls', async () => {
  const stopped = Array.from({ length: 60 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    const headers = { 'content-type': 'application/json', 'content-length': '1000000' };
    socket.write(head(headers, '/api/customers/create/') + ' '.repeat(200_000));
    return socket;
  });
  // Eight are read and fifty wait.
  const answer = await Promise.any(
    stopped.map(
      async (socket) =>
        new Promise<string>((resolve) => {
          socket.once('data', (chunk) => resolve(chunk.toString()));
        }),
    ),
  );
  expect(answer).toMatch(/^HTTP\/1.1 503 /);
  expect((await client.post('/api/customers/create/', { name: 'Kari' })).status).toBe(201);
  for (const socket of stopped) socket.destroy();
});

test('one that breaks off ends with an error for its reader, and is no fault of the database', async () => {
  seen.length = 0;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head({ ...BYTES, 'content-length': '1000' }) + 'x'.repeat(500));
  setTimeout(() => socket.destroy(), 200);
  await until(
    () => seen,
    (found) => found.length > 0,
  );
  expect(seen).toEqual(['broken']);
  const aborted = await until(
    () => log.filter((line) => line.includes('"message":"aborted"')),
    (lines) => lines.length > 0,
  );
  for (const line of aborted) expect(line).toMatch(/^\{"level":30,.*"msg":"request refused"/);
});

function head(headers: Record<string, string>, url = URL_OF_CALL): string {
  const all = { host: 'localhost', cookie: client.cookieHeader, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${url} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

async function raw(headers: Record<string, string>, body: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
    socket.write(head(headers) + body);
  });
}
