import { expect, test } from 'vitest';

import { startTestApp } from './testing/app.ts';

test('only one address is listened on, even for a host name with two, so the limits apply to one server', async () => {
  const testApp = await startTestApp({ HOST: 'localhost' });
  const port = await testApp.app.listen();
  expect(testApp.app.http.addresses()).toEqual([expect.objectContaining({ port })]);
  await testApp.close();
});
