import { expect, test, vi } from 'vitest';

import { openTestDatabase } from '../../testing/database.ts';
import { startTestApp } from '../../testing/app.ts';

vi.mock(import('../../newsletter/newsletter.jobs.ts'), async (importOriginal) => {
  const { newsletterJobs } = await importOriginal();
  return {
    newsletterJobs: (context) => {
      const [signUp, ...others] = newsletterJobs(context);
      return signUp ? [signUp, signUp, ...others.slice(1)] : [];
    },
  };
});

test('the product does not start when a job has two handlers or none', async () => {
  const database = await openTestDatabase();
  await expect(startTestApp({}, { database })).rejects.toThrow(
    'Each job needs one handler: newsletter-sign-up has 2 handlers, newsletter-welcome has no handler',
  );
  await database.close();
});
