import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { fetchText } from './fetch-text.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/cert.pem`;
}

it('fetches a text', async () => {
  expect(await fetchText(await serve((_, response) => response.end('tekst æøå')))).toBe(
    'tekst æøå',
  );
});

it('follows no redirect', async () => {
  const listener = vi.fn<RequestListener>((_, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(await fetchText(await serve(listener))).toBeNull();
  expect(listener).toHaveBeenCalledTimes(1);
});

it('distinguishes a missing text from a failing host', async () => {
  let status = 404;
  const url = await serve((_, response) => response.writeHead(status).end('no'));
  expect(await fetchText(url)).toBeNull();
  status = 503;
  await expect(fetchText(url)).rejects.toThrow('503');
  server?.closeAllConnections();
  server?.close();
  await expect(fetchText(url)).rejects.toThrow('fetch failed');
});

it('reads no more than it must', async () => {
  let sent = 0;
  const url = await serve((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384;
    };
    response.on('drain', more);
    more();
  });
  expect(await fetchText(url)).toBeNull();
  expect(sent).toBeLessThan(20_000_000);
});

it('has a time limit', async () => {
  const url = await serve((_, response) => response.write('…'));
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  timeout.mockImplementation(() => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('too late')), 100);
    return controller.signal;
  });
  await expect(fetchText(url)).rejects.toThrow('too late');
  expect(timeout).toHaveBeenCalledWith(5000);
});
