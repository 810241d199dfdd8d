import { expect, test } from 'vitest';

import { startTestApp } from './testing/app.ts';

test('one address is listened on, and so one server has the limits, also for a name with two', async () => {
  const testApp = await startTestApp({ HOST: 'localhost' });
  const port = await testApp.app.listen();
  expect(testApp.app.http.addresses()).toEqual([expect.objectContaining({ port })]);
  await testApp.close();
});
