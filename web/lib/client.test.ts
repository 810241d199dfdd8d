import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import {
  createCustomer,
  searchCustomers,
  updateCustomer,
} from '../../domain/customer/customer.endpoints.ts';
import { logout } from '../../domain/session/session.endpoints.ts';
import { ApiError, ConnectionLost, RequestAborted } from './api-error.ts';
import { call, setProofAsker } from './client.ts';

let server: Server;
let answer: { status: number; body: string };
let received: {
  url: string | undefined;
  method: string | undefined;
  language: string | undefined;
  key?: string;
  body: string;
};

beforeAll(async () => {
  server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const { url, method, headers } = request;
      const key = headers['idempotency-key'];
      received = { url, method, language: headers['accept-language'], body };
      if (typeof key === 'string') received.key = key;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { fetch } = globalThis;
  // A browser resolves paths against the page; Node's fetch needs an origin.
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => fetch(`${origin}${url}`, init));
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const CUSTOMER = { name: 'Åse', orgNumber: '123456785', postalCode: '5003' };

test('names go out in snake_case and come back in camelCase', async () => {
  answer = { status: 200, body: '{"customer_number":7,"org_number":null}' };
  const customer = await call(updateCustomer, { params: { customerNumber: 7 }, body: CUSTOMER });
  expect(received).toEqual({
    url: '/api/customers/7/update/',
    method: 'PUT',
    language: 'nb',
    body: '{"name":"Åse","org_number":"123456785","postal_code":"5003"}',
  });
  expect(customer).toEqual({ customerNumber: 7, orgNumber: null });
});

test('a query is escaped, and what is empty is left out', async () => {
  answer = { status: 200, body: '[]' };
  await call(searchCustomers, { query: { query: 'Å & co', size: 4 } });
  expect(received.url).toBe('/api/customers/search/?query=%C3%85+%26+co&size=4');
  await call(searchCustomers, { query: { query: '' } });
  expect(received.url).toBe('/api/customers/search/');
});

test('an answer without a body is nothing', async () => {
  answer = { status: 204, body: '' };
  expect(await call(logout, {})).toBeUndefined();
});

test('a refusal carries url, status, status text, body and reasons', async () => {
  answer = {
    status: 400,
    body: '{"detail":[{"message":"name is a required field","field":"name"}]}',
  };
  const error: unknown = await call(logout, {}).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    message: 'Bad Request',
    status: 400,
    statusText: 'Bad Request',
    detail: [{ message: 'name is a required field', field: 'name' }],
  });
});

test('an unusual refusal says everything it knows, and HTML is no reason to fall over', async () => {
  answer = { status: 418, body: '<h1>short and stout</h1>' };
  const error: unknown = await call(logout, {}).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 418, body: '<h1>short and stout</h1>', detail: [] });
  expect(String(error)).toContain('short and stout');
});

test('an answer over HTTP/2 has no name of its own, and gets one', () => {
  const refusal = { url: '/', statusText: '', body: undefined };
  expect(new ApiError({ ...refusal, status: 409 }).statusText).toBe('Conflict');
  expect(new ApiError({ ...refusal, status: 409, body: 'paid' }).message).toBe(
    '409 Conflict: "paid"',
  );
  expect(new ApiError({ ...refusal, status: 418 }).statusText).toBe('');
});

test('a cancelled call says so', async () => {
  const cancelled = AbortSignal.abort();
  await expect(call(logout, {}, cancelled)).rejects.toThrow(new RequestAborted().message);
});

test('a save whose answer was lost is sent again with its key, and another save has another', async () => {
  const sent: string[] = [];
  const create = async (name: string, status: number) => {
    answer = { status, body: status === 201 ? '{"customer_number":7}' : '' };
    const saving = call(createCustomer, { body: { ...CUSTOMER, name } });
    await saving.catch((error: unknown) => error);
    sent.push(received.key ?? '');
  };
  await create('Åse', 502);
  await create('Åse', 201);
  await create('Åse', 400);
  await create('Åse', 201);
  await create('Kari', 201);
  expect(sent[0]).toMatch(/^[\d-]{7,43}$/);
  expect(sent[1]).toBe(sent[0]);
  expect(new Set(sent).size).toBe(4);
  await call(logout);
  expect(received.key).toBeUndefined();
});

test('after a lost answer a corrected save has its key, so that the server can say whether the first one arrived', async () => {
  const sent: string[] = [];
  for (const [name, status] of [
    ['Kai', 502],
    ['Kaia', 409],
    ['Kaia', 201],
  ] as const) {
    answer = { status, body: '{}' };
    await call(createCustomer, { body: { ...CUSTOMER, name } }).catch((error: unknown) => error);
    sent.push(received.key ?? '');
  }
  expect(sent[1]).toBe(sent[0]);
  expect(sent[2]).not.toBe(sent[0]);
});

test('two saves that are under way share a key when they are the same, and no other', async () => {
  const sent: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get('idempotency-key'));
    return new Response('{"customer_number":7}', { status: 201 });
  });
  const create = async (name: string) => call(createCustomer, { body: { ...CUSTOMER, name } });
  await Promise.all([create('Åse'), create('Åse'), create('Kari')]);
  vi.unstubAllGlobals();
  expect(sent[0]).toMatch(/^[\d-]{7,43}$/);
  expect(sent[1]).toBe(sent[0]);
  expect(sent[2]).not.toBe(sent[0]);
});

// SEC-10
test('a call that needs a proof is sent again as it was, once one is given', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body, headers }: RequestInit) => {
    sent.push([body, new Headers(headers).get('idempotency-key')]);
    return sent.length === 1
      ? new Response('{"detail":[{"message":"Først"}],"proof_needed":true}', { status: 403 })
      : new Response('{"customer_number":7}', { status: 201 });
  });
  const ask = vi.fn<() => Promise<boolean>>().mockResolvedValue(true);
  setProofAsker(ask);
  const made = await call(createCustomer, { body: CUSTOMER });
  vi.unstubAllGlobals();
  expect(made).toEqual({ customerNumber: 7 });
  expect(ask).toHaveBeenCalledOnce();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

// SEC-10
test('without a proof the call is given up, and another refusal asks for none', async () => {
  const refusals = ['{"detail":[],"proof_needed":true}', '{"detail":[{"message":"Rolle"}]}'];
  vi.stubGlobal('fetch', async () => new Response(refusals.shift(), { status: 403 }));
  const ask = vi.fn<() => Promise<boolean>>().mockResolvedValue(false);
  setProofAsker(ask);
  await expect(call(logout, {})).rejects.toBeInstanceOf(RequestAborted);
  await expect(call(logout, {})).rejects.toBeInstanceOf(ApiError);
  vi.unstubAllGlobals();
  expect(ask).toHaveBeenCalledOnce();
});

test('no answer at all is a lost connection', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await expect(call(logout, {})).rejects.toBeInstanceOf(ConnectionLost);
});
