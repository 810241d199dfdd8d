import { expect, test, vi } from 'vitest';

import { startTestApp } from './testing/app.ts';
import { openTestDatabase } from './testing/database.ts';

const newsletter = vi.hoisted(() => ({ isFaulty: false }));

vi.mock(import('./newsletter/newsletter.service.ts'), async (importOriginal) => {
  const { newsletterJobs, ...others } = await importOriginal();
  return {
    ...others,
    newsletterJobs: (context) => {
      const [signUp, ...rest] = newsletterJobs(context);
      if (!signUp) throw new Error('The newsletter has no jobs');
      return newsletter.isFaulty ? [signUp, signUp, ...rest.slice(1)] : [signUp, ...rest];
    },
  };
});

test('the product does not start when a job has two handlers or none', async () => {
  newsletter.isFaulty = true;
  const database = await openTestDatabase();
  await expect(startTestApp({}, { database })).rejects.toThrow(
    'Each job needs one handler: newsletter-sign-up has 2 handlers, newsletter-welcome has no handler',
  );
  await database.close();
  newsletter.isFaulty = false;
});

test('only one address is listened on, even for a host name with two, so the limits apply to one server', async () => {
  const testApp = await startTestApp({ HOST: 'localhost' });
  const port = await testApp.app.listen();
  expect(testApp.app.http.addresses()).toEqual([expect.objectContaining({ port })]);
  await testApp.close();
});
