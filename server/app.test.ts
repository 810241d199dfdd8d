import { expect, test } from 'vitest';

import { startTestApp } from './testing/app.ts';

test('one address is listened on, and so one server has the limits, also for a name with two', async () => {
  const { app, close } = await startTestApp({ HOST: 'localhost' });
  const port = await app.listen();
  expect(app.http.addresses()).toEqual([expect.objectContaining({ port })]);
  await close();
});
