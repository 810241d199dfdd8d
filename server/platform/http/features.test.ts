import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';

import { SWITCHES } from '../../../domain/api/endpoint.ts';
import { API_ENDPOINTS } from '../../../domain/endpoints.ts';
import { startTestApp, STAFF_EMAIL, type TestApp } from '../../testing/app.ts';
import { accountRoute } from './route.ts';

const URL = '/api/reminders/fixture/';

// Adds a call of a feature to those of the product.
vi.mock(import('../../../domain/endpoints.ts'), async (importOriginal) => {
  const { API_ENDPOINTS } = await importOriginal();
  return { API_ENDPOINTS: [...API_ENDPOINTS, remind] };
});
const { remind } = await vi.hoisted(async () => {
  const { defineEndpoint } = await import('../../../domain/api/endpoint.ts');
  const { z } = await import('zod');
  return {
    remind: defineEndpoint({
      id: 'remind',
      method: 'POST',
      path: '/api/reminders/fixture/',
      summary: 'A call that only reminders have',
      access: 'staff',
      feature: 'reminders',
      body: z.object({ text: z.string() }),
      response: z.object({ text: z.string() }),
    }),
  };
});

let testApp: TestApp;

afterEach(async () => testApp.close());

async function start(features: string): Promise<void> {
  testApp = await startTestApp({ FEATURES: features });
  accountRoute(testApp.app.http, remind, async ({ body }) => body);
}

describe.each(['', 'payments,recurring,units'])(
  'with FEATURES=%j, a call of reminders',
  (names) => {
    test('is answered like an unknown address, for any caller and any input', async () => {
      await start(names);
      const callers = [testApp.visitor(), await testApp.login(), await testApp.login(STAFF_EMAIL)];
      for (const caller of callers) {
        for (const payload of [{ text: 'Husk' }, { text: 1 }, undefined]) {
          const unknown = await caller.post('/api/reminders/unknown/', payload);
          const { status, body } = await caller.post(URL, payload);
          expect([status, body]).toEqual([404, { detail: [{ message: 'Not found' }] }]);
          expect([status, body]).toEqual([unknown.status, unknown.body]);
        }
      }
    });

    // WIRE-20
    test('is not described, and the session does not list the feature', async () => {
      await start(names);
      const client = await testApp.login();
      const { body } = await client.get('/api/openapi.json');
      expect(body.paths[URL]).toBeUndefined();
      expect(body.tags).not.toContainEqual({ name: 'reminders' });
      expect((await client.get('/api/users/session/')).body.features).toEqual(
        names.split(',').filter(Boolean),
      );
    });
  },
);

describe.each(['reminders', ' reminders , payments', 'all'])(
  'with FEATURES=%j, a call of reminders',
  (names) => {
    test('is answered according to its access and its schemas', async () => {
      await start(names);
      const staff = await testApp.login(STAFF_EMAIL);
      const owner = await testApp.login();
      expect((await testApp.visitor().post(URL, { text: 'Husk' })).status).toBe(401);
      expect((await owner.post(URL, { text: 'Husk' })).status).toBe(403);
      expect((await staff.post(URL, { text: 1 })).status).toBe(400);
      expect(await staff.post(URL, { text: 'Husk' })).toMatchObject({
        status: 200,
        body: { text: 'Husk' },
      });
    });

    // FEAT-5
    test('is described, and the session lists the feature', async () => {
      await start(names);
      const client = await testApp.login();
      const { body } = await client.get('/api/openapi.json');
      expect(body.paths[URL].post.operationId).toBe('remind');
      expect((await client.get('/api/users/session/')).body.features).toContain('reminders');
    });
  },
);

// FEAT-1, FEAT-5
test('the session after login lists all features, in one order', async () => {
  await start('all');
  const { body } = await (await testApp.login()).get('/api/users/session/');
  expect(z.array(z.string()).parse(body.features)).toEqual([
    'payments',
    'reminders',
    'recurring',
    'units',
    'vat',
    'products',
    'credit',
    'attachments',
    'export',
    'members',
    'overview',
    'einvoice',
    'portal',
    'security',
    'integrations',
    'quotes',
    'closing',
  ]);
});

/** The pages and files of features, beside the endpoints. */
const PAGES = [
  '/delt/eksport/x/',
  '/delt/x/',
  '/invoices/x/reminders/x/pdf/',
  '/customers/1/statement/pdf/',
  '/kunde/x/',
  '/kunde/x/faktura/1/dokument/1/',
  '/kunde/x/kontoutskrift.pdf',
];

const CALLS = API_ENDPOINTS.filter(({ feature }) => feature !== undefined).map(
  ({ method, path }) => ({ method, url: path.replaceAll(/\{(\w+)\}/g, '1') }),
);
const WITHOUT_PAGES = SWITCHES.filter((name) => !/^(overview|export|portal|reminders)$/.test(name));

// FEAT-3
test.each([
  ['', CALLS],
  [WITHOUT_PAGES.join(), []],
])('with FEATURES=%j, no call or page of another is found, whoever calls', async (names, calls) => {
  await start(names);
  const owner = await testApp.login();
  const pages = PAGES.map((url) => ({ method: 'GET', url }) as const);
  for (const client of [testApp.visitor(), owner]) {
    for (const call of [...pages, ...calls]) {
      expect([call, (await client.send(call)).status]).toEqual([call, 404]);
    }
  }
});
