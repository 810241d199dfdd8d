import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

import { afterEach, describe, expect, test } from 'vitest';

import { createWebhookClient } from './webhook-client.ts';

const MESSAGE = { id: 'msg_1', body: '{}', secrets: [Buffer.from('a secret')] };
const servers: { server: Server; sockets: Set<Socket> }[] = [];

afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Somebody who answers each connection in a way of its own. Returns `host:port`. */
async function startStranger(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', () => answer(socket));
  });
  servers.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A name server that gives these addresses in turn, and counts the look-ups. */
function resolverOf(...answers: readonly string[][]) {
  let asked = 0;
  return {
    count: () => asked,
    resolve4: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
      return answer.filter((one) => one.includes('.') && !one.includes(':'));
    },
    resolve6: async () => {
      const answer = answers[Math.max(0, Math.min(asked, answers.length) - 1)] ?? [];
      return answer.filter((one) => one.includes(':'));
    },
  };
}

// INT-15
describe('nothing is connected to', () => {
  test.each([
    ['127.0.0.1'],
    ['0.0.0.0'],
    ['10.1.2.3'],
    ['172.16.0.1'],
    ['192.168.1.1'],
    ['100.64.0.1'],
    ['169.254.169.254'],
    ['198.18.0.1'],
    ['224.0.0.1'],
    ['255.255.255.255'],
    ['::1'],
    ['::'],
    ['::ffff:127.0.0.1'],
    ['::ffff:8.8.8.8'],
    ['64:ff9b::7f00:1'],
    ['fe80::1'],
    ['fd00:ec2::254'],
    ['2002:7f00:1::'],
    ['2001:db8::1'],
    ['8.8.8.8', '127.0.0.1'],
    ['2606:4700::1111', 'fd00::1'],
  ])('when a name is at %s', async (...addresses) => {
    const client = createWebhookClient({ hosts: [], resolver: resolverOf(addresses) });
    expect(await client.post('https://hook.example/', MESSAGE)).toMatchObject({
      status: null,
      error: 'NOT_PUBLIC',
    });
  });

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
  ])('for %s', async (url) => {
    const client = createWebhookClient({ hosts: [] });
    expect(await client.post(url, MESSAGE)).toMatchObject({ error: 'NOT_PUBLIC' });
  });

  test('over http, unless the operator lists the host', async () => {
    const host = await startStranger((socket) => socket.end('HTTP/1.1 204 No\r\n\r\n'));
    const url = `http://${host}/`;
    expect((await createWebhookClient({ hosts: [] }).post(url, MESSAGE)).error).toBe('NOT_PUBLIC');
    const other = createWebhookClient({ hosts: ['127.0.0.1:1'] });
    expect((await other.post(url, MESSAGE)).error).toBe('NOT_PUBLIC');
    expect((await createWebhookClient({ hosts: [host] }).post(url, MESSAGE)).status).toBe(204);
  });
});

// INT-15
test('a name that says something else at a second look-up is looked up once', async () => {
  const resolver = resolverOf(['9.9.9.9'], ['127.0.0.1']);
  const connected: string[] = [];
  const client = createWebhookClient({
    hosts: [],
    resolver,
    connect(address) {
      connected.push(address);
      return { host: '127.0.0.1', port: '1' };
    },
  });
  const { error } = await client.post('https://rebind.example/', MESSAGE);
  expect(error).toBe('CONNECTION');
  expect(connected).toEqual(['9.9.9.9']);
  expect(resolver.count()).toBe(1);
});

/** Sends a message to a stranger. Returns the answer, and how long it took. */
async function postTo(answer: (socket: Socket) => void, timeLimit = 1000) {
  const host = await startStranger(answer);
  const client = createWebhookClient({ hosts: [host], timeLimit });
  const began = performance.now();
  const found = await client.post(`http://${host}/`, MESSAGE);
  return { ...found, ms: performance.now() - began };
}

/** Writes again and again until the other side has gone. */
function drip(socket: Socket, text: string, every = 20): void {
  const timer = setInterval(() => socket.write(text), every);
  socket.on('close', () => clearInterval(timer));
}

// INT-21
describe('a stranger that', () => {
  test('never answers is left after the limit', async () => {
    const { error, ms } = await postTo(() => undefined, 300);
    expect(error).toBe('TIMEOUT');
    expect(ms).toBeLessThan(5000);
  });

  test('sends headers without end is left', async () => {
    const slow = await postTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'x-a: b\r\n');
    }, 500);
    expect(slow.error).toBe('TIMEOUT');
    const fast = await postTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, `x-a: ${'b'.repeat(8000)}\r\n`, 1);
    }, 5000);
    expect(fast.error).toBe('FAULTY_ANSWER');
  });

  test('answers with interim answers alone is left', async () => {
    const { error } = await postTo(
      (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
      500,
    );
    expect(error).toBe('TIMEOUT');
  });

  test('sends a body without end has taken the message by its head', async () => {
    const { status, response, ms } = await postTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      drip(socket, 'a'.repeat(64 * 1024), 1);
    }, 60_000);
    expect([status, response]).toEqual([200, 'a'.repeat(1024)]);
    expect(ms).toBeLessThan(10_000);
  });

  test('drips its body is not waited for', async () => {
    const { status, response, ms } = await postTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      drip(socket, 'a', 200);
    }, 60_000);
    expect(status).toBe(200);
    expect(response).toMatch(/^a{1,30}$/);
    expect(ms).toBeLessThan(10_000);
  });

  test('redirects gets no second message', async () => {
    let count = 0;
    const { status } = await postTo((socket) => {
      count += 1;
      socket.end(
        'HTTP/1.1 307 There\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n',
      );
    });
    expect([status, count]).toEqual([307, 1]);
  });

  test.each([
    ['SSH-2.0-OpenSSH\r\n', 'FAULTY_ANSWER'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 'FAULTY_ANSWER'],
    ['', 'CONNECTION'],
  ])('answers %j is a fault', async (text, error) => {
    expect((await postTo((socket) => socket.end(text))).error).toBe(error);
  });

  test('is not there is a fault', async () => {
    const host = await startStranger(() => undefined);
    for (const { server } of servers.splice(0)) await new Promise((done) => server.close(done));
    const client = createWebhookClient({ hosts: [host] });
    expect((await client.post(`http://${host}/`, MESSAGE)).error).toBe('CONNECTION');
  });

  // INT-24
  test('has no address is a fault', async () => {
    const unknown = async () =>
      Promise.reject(Object.assign(new Error('ENOTFOUND'), { syscall: 'queryA' }));
    const resolver = { resolve4: unknown, resolve6: unknown };
    const client = createWebhookClient({ hosts: [], resolver });
    expect(await client.post('https://hook.example/', MESSAGE)).toMatchObject({
      status: null,
      error: 'NO_ADDRESS',
    });
  });

  test('sends bytes that are no text has them replaced', async () => {
    const { response } = await postTo((socket) =>
      socket.end(Buffer.from('HTTP/1.1 400 No\r\n\r\na\0\xff', 'latin1')),
    );
    expect(response).toBe('a��');
  });
});

// INT-22
test.each([
  ['120', 120],
  ['0', 0],
  ['soon', null],
  ['-5', null],
])('Retry-After: %s is read as %j', async (value, seconds) => {
  const { retryAfter } = await postTo((socket) =>
    socket.end(`HTTP/1.1 503 No\r\nretry-after: ${value}\r\ncontent-length: 0\r\n\r\n`),
  );
  expect(retryAfter).toBe(seconds);
});

// INT-22
test('Retry-After may be a date', async () => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  const { retryAfter } = await postTo((socket) =>
    socket.end(`HTTP/1.1 503 No\r\nretry-after: ${date}\r\ncontent-length: 0\r\n\r\n`),
  );
  expect(retryAfter).toBeGreaterThan(50);
  expect(retryAfter).toBeLessThanOrEqual(61);
});
