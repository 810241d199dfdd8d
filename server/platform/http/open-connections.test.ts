import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import compress from '@fastify/compress';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';

import { limitConnections } from './open-connections.ts';

const MOST = 20;
const LARGE = 'x'.repeat(32 * 1024 * 1024);
/** As large when it is compressed, and larger than the kernel's buffers. */
const RANDOM = randomBytes(12 * 1024 * 1024);
let served = 0;
const LIMITS = { most: MOST, standstill: 1000, wholeAnswer: 4000, lateRequest: 1000 };

let app: FastifyInstance;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  app.server.closeAllConnections();
  await app.close();
});

async function serve(): Promise<number> {
  app = fastify();
  limitConnections(app, LIMITS);
  await app.register(compress, { encodings: ['gzip', 'identity'] });
  app.get('/', async () => 'a page');
  app.post('/', async () => 'taken');
  served = 0;
  app.get('/large', async () => {
    served += 1;
    return LARGE;
  });
  // The limit of a whole answer does not end these in time.
  const config = { wholeAnswer: 600_000 };
  app.get('/large-and-long', { config }, async () => LARGE);
  app.get('/streamed', { config }, async (_request, reply) =>
    reply.send(Readable.from([LARGE, LARGE])),
  );
  app.get('/random', { config }, async (_request, reply) => reply.type('text/csv').send(RANDOM));
  app.get('/random-streamed', { config }, async (_request, reply) =>
    reply.type('text/csv').send(Readable.from([RANDOM, RANDOM])),
  );
  app.get('/slow', async () => {
    await sleep(1500);
    return 'late';
  });
  await app.listen({ port: 0, host: '0.0.0.0' });
  return (app.server.address() as AddressInfo).port;
}

/** A connection from a local address. */
async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function statusOf(port: number, path: string, localAddress: string): Promise<number> {
  const outgoing = request({ port, host: '127.0.0.1', path, localAddress, agent: false }).end();
  const [incoming] = (await once(outgoing, 'response')) as [{ statusCode: number; resume(): void }];
  incoming.resume();
  return incoming.statusCode;
}

describe('an answer that the client does not read', () => {
  const nothing = () => undefined;

  test.each([
    ['at all', ['/large-and-long'], nothing],
    ['at all, and is streamed,', ['/streamed'], nothing],
    ['at all, and is compressed,', ['/random'], nothing],
    ['at all, and is streamed and compressed,', ['/random-streamed'], nothing],
    ['at all, in a pipeline,', ['/', '/', '/random', '/random', '/random'], nothing],
    // Reads a little at times, so that it never stands still.
    [
      'but by the spoonful',
      ['/large'],
      (socket: Socket) => setInterval(() => socket.read(65_536), 200),
    ],
  ])('%s is ended', async (_, paths, read) => {
    const port = await serve();
    const socket = await open(port, '127.0.0.1');
    socket.pause();
    const encoding = paths.at(-1)?.startsWith('/random') ? 'Accept-Encoding: gzip\r\n' : '';
    socket.write(
      paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${encoding}\r\n`).join(''),
    );
    const began = performance.now();
    const [served] = await Promise.all([
      once(app.server, 'request') as Promise<[{ socket: Socket }]>,
      sleep(100),
    ]);
    const timer = read(socket);
    await once(served[0].socket, 'close');
    clearInterval(timer);
    // By the spoonful, all of it would take a minute and a half.
    expect(performance.now() - began).toBeLessThan(LIMITS.wholeAnswer + 30_000);
  });

  test('keeps the answers behind it in a pipeline from being made', async () => {
    const port = await serve();
    const socket = await open(port, '127.0.0.1');
    socket.pause();
    socket.write(
      `GET / HTTP/1.1\r\nHost: x\r\n\r\n${'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(8)}`,
    );
    const [answering] = (await once(app.server, 'request')) as [{ socket: Socket }];
    await once(answering.socket, 'close');
    expect(served).toBe(1);
  });

  test('is distinguished from a slow handler, also behind another answer', async () => {
    const port = await serve();
    const socket = await open(port, '127.0.0.1');
    let answers = '';
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    socket.write(
      `GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    await once(socket, 'close');
    expect(answers).toMatch(/a page[^]*\r\n\r\nlate$/);
  });

  test('is distinguished from a slow handler', async () => {
    const port = await serve();
    expect(await statusOf(port, '/slow', '127.0.0.1')).toBe(200);
  });
});

describe('silent connections from one address', () => {
  test('do not shut others out in any number', async () => {
    const port = await serve();
    for (let index = 0; index < MOST + 10; index += 1) await open(port, '127.0.0.2');
    for (let caller = 3; caller < 10; caller += 1) {
      expect(await statusOf(port, '/', `127.0.0.${caller}`)).toBe(200);
    }
    expect(sockets.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(MOST + 10);
  });

  test('do not shut others out with unfinished requests either', async () => {
    const port = await serve();
    for (let index = 0; index < MOST + 10; index += 1) {
      const socket = await open(port, '127.0.0.2');
      socket.write(
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n',
      );
    }
    await sleep(200);
    for (let caller = 3; caller < 10; caller += 1) {
      expect(await statusOf(port, '/', `127.0.0.${caller}`)).toBe(200);
    }
  });

  test('are closed before those that wait for an answer, as behind a proxy', async () => {
    const port = await serve();
    const answer = statusOf(port, '/slow', '127.0.0.1');
    await sleep(300);
    for (let index = 0; index < MOST * 2; index += 1) await open(port, '127.0.0.1');
    expect(await answer).toBe(200);
  });
});

describe('a server that closes', () => {
  const UNFINISHED =
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n';

  test.each([
    ['says nothing', ''],
    ['keeps its connection when it has been answered', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['waits for an answer, and would keep its connection', 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['never finishes its headers', UNFINISHED],
    ['never finishes its call', `${UNFINISHED}\r\n12`],
  ])('does not wait for a caller who %s', async (_, sent) => {
    const port = await serve();
    const socket = await open(port, '127.0.0.1');
    socket.resume();
    socket.write(sent);
    await sleep(200);
    const began = performance.now();
    await app.close();
    // Node.js alone would wait more than a minute.
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  test('answers its open calls, and announces that the connection closes', async () => {
    const port = await serve();
    const socket = await open(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(200);
    await Promise.all([app.close(), once(socket, 'close')]);
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i);
    expect(answer).toMatch(/\r\n\r\nlate$/);
  });

  test('lets an answer be read to its end', async () => {
    const port = await serve();
    const socket = await open(port, '127.0.0.1');
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(300);
    const closed = Promise.all([app.close(), once(socket, 'close')]);
    let length = 0;
    socket.on('data', (chunk: Buffer) => (length += chunk.length)).resume();
    await closed;
    expect(length).toBeGreaterThan(LARGE.length);
  });
});
