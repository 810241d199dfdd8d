import { expect, test } from 'vitest';
import { z } from 'zod';

import type { Job } from './job.ts';
import * as jobs from './jobs.ts';

/** Jobs that belong to no company, with the reason. */
const OF_NO_COMPANY: Readonly<Record<string, string>> = {
  'login-mail': 'Whoever asks for a code may have no company yet.',
  'security-mail': 'It concerns an account, which may have no company.',
  'closing-mail': 'One kind goes to an account that is gone; the others name their company.',
  'closed-remains': 'Its company is deleted; the id is that of no row.',
  closing: 'Finds the closed companies of which something is due.',
  'newsletter-sign-up': 'Subscribers need no account.',
  'newsletter-welcome': 'Subscribers need no account.',
  'einvoice-evidence': 'The companies take turns at one pace of asking.',
  'peppol-events': 'The access point reports of all companies at once.',
  housekeeping: 'Looks through what all companies have left behind.',
  recurring: 'Finds the assignments of all companies that are due; each gets a job of its own.',
};

function isJob(value: unknown): value is Job<object> {
  return typeof value === 'object' && value !== null && 'payload' in value && 'name' in value;
}

/** Whether a job's payload, or each kind of it, contains its company; null means all companies. */
function namesCompany({ payload }: Job<object>): boolean {
  const kinds = payload instanceof z.ZodDiscriminatedUnion ? payload.options : [payload];
  return kinds.every((kind) => kind instanceof z.ZodObject && 'companyId' in kind.shape);
}

test('a job names its company', () => {
  const all = Object.values<unknown>({ ...jobs }).filter(isJob);
  expect(all.length).toBeGreaterThan(10);
  const without = all.filter((job) => !namesCompany(job)).map(({ name }) => name);
  expect(without.toSorted()).toEqual(Object.keys(OF_NO_COMPANY).toSorted());
});
