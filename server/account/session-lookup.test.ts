import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());

test.each([
  ['tokens', { authorization: 'Bearer made-up' }],
  ['sessions', { cookie: 'faktur_session=made-up' }],
])('a flood of made-up %s keeps nobody out whom we know', async (_, headers) => {
  const client = await testApp.login();
  const call = async (url: string) => client.get(url);
  const strangers = Array.from({ length: 600 }, async () =>
    testApp.visitor().send({ method: 'GET', url: '/api/users/session/', headers }),
  );
  const known = Array.from({ length: 20 }, async () => call('/api/users/session/'));
  const statuses = async (answers: typeof known) =>
    new Set((await Promise.all(answers)).map(({ status }) => status));
  expect(await statuses(known)).toEqual(new Set([200]));
  expect(await statuses(strangers)).toEqual(new Set([401]));
});
