import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import { completeProfile, createTemplate, line } from '../testing/factories.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(async () => testApp.close());

// TPL-1
test('a list of more templates than are in memory at a time is whole, and each has its lines', async () => {
  const client = await testApp.login();
  await completeProfile(client);
  const names = Array.from({ length: 11 }, (_, index) => `Mal ${index}`);
  for (const name of names) {
    const lines = [line(`Arbeid for ${name}`, 100, 25)];
    await createTemplate(client, { name, lines });
  }
  const { status, body } = await client.get('/api/invoices/template/');
  expect(status).toBe(200);
  expect(body).toMatchObject(
    names.map((name) => ({ name, lines: [{ description: `Arbeid for ${name}` }] })),
  );
});
