import { once } from 'node:events';
import net from 'node:net';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openS3 } from './s3.ts';

let server: net.Server;
let answer = '';
let calls = 0;

beforeEach(async () => {
  calls = 0;
  server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      calls += 1;
      socket.write(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

function open(call = 5_000) {
  const { port } = server.address() as net.AddressInfo;
  const limits = { connect: 200, try: 200, call };
  return openS3(
    {
      bucket: 'faktur',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      takesNew: true,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: undefined },
    },
    limits,
  );
}

/** A whole answer; S3 gives its reason in XML. */
function say(status: number, code: string): string {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No</Message></Error>`;
  return `HTTP/1.1 ${status} No\r\ncontent-type: application/xml\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

describe('a call ends in time', () => {
  test.each([
    ['nothing', ''],
    ['half an answer', 'HTTP/1.1 200 OK\r\n'],
    ['half of the bytes', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
  ])('though there comes %s', async (_, words) => {
    answer = words;
    const store = open(700);
    const began = performance.now();
    await expect(store.get('1/a')).rejects.toMatchObject({
      name: 'ObjectStoreAway',
      isUrgent: false,
    });
    expect(performance.now() - began).toBeLessThan(30_000);
    store.close();
  });
});

describe('an error of the settings is distinguished from a temporary one', () => {
  test.each([
    [503, 'SlowDown', false],
    [500, 'InternalError', false],
    [403, 'AccessDenied', true],
    [403, 'ExpiredToken', true],
    [404, 'NoSuchBucket', true],
    [301, 'PermanentRedirect', true],
  ])('%i %s', async (status, code, isUrgent) => {
    answer = say(status, code);
    const store = open();
    const failure = store.put('1/a', Buffer.from('x'));
    await expect(failure).rejects.toMatchObject({ name: 'ObjectStoreAway', isUrgent });
    await expect(failure).rejects.toThrow(code);
    expect(calls).toBeLessThanOrEqual(4);
    store.close();
  });

  test('a missing object is null', async () => {
    answer = say(404, 'NoSuchKey');
    const store = open();
    expect(await store.get('1/a')).toBeNull();
    store.close();
  });
});

describe('an object is removed', () => {
  test.each([
    ['that is there', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['that is not', say(404, 'NoSuchKey')],
  ])('%s', async (_, words) => {
    answer = words;
    const store = open();
    await store.delete('1/exports/a/1/1');
    expect(calls).toBe(1);
    store.close();
  });

  test('unless the store denies it', async () => {
    answer = say(403, 'AccessDenied');
    const store = open();
    await expect(store.delete('1/a')).rejects.toMatchObject({
      name: 'ObjectStoreAway',
      isUrgent: true,
    });
    store.close();
  });
});
