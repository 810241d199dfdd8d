import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { findLastIssueDate } from '../invoice/drafts.repository.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  invoiceBody,
  register,
} from '../testing/factories.ts';
import { planOf } from '../testing/plan.ts';

// The dates that an invoice may carry, and hints of others (INV-46).

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp();
  client = await testApp.login('dato@example.no');
  await completeProfile(client);
  customer = await createCustomer(client);
});
afterEach(() => vi.useRealTimers());
afterAll(async () => testApp.close());

const today = todayInOslo();
const hintsOf = async (uuid: string) =>
  (await client.get(`/api/invoices/${uuid}/`)).body.hints as { code: string; field: string }[];

test('the month end is offered through the 15th working day, and no longer', async () => {
  const offered = async (now: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    return (await client.get('/api/invoices/issue-dates/')).body as object;
  };
  // 18 November 2026 ends in Oslo an hour before it does in Greenwich.
  expect(await offered('2026-11-18T22:59Z')).toEqual({
    today: '2026-11-18',
    month_end: { date: '2026-10-31', until: '2026-11-18' },
  });
  expect(await offered('2026-11-18T23:00Z')).toEqual({ today: '2026-11-19', month_end: null });
});

test('a draft of another date has a hint, in both languages, and is registered', async () => {
  const draft = await createDraft(client, customer, { issue_date: addDays(today, 1) });
  expect(await hintsOf(draft)).toEqual([
    { code: 'DATE_AHEAD', field: 'issue_date', message: 'issue_date is after today' },
  ]);
  const { version } = (await client.get(`/api/invoices/${draft}/`)).body;
  const change = {
    ...invoiceBody([], { issue_date: today }),
    customer_number: customer,
    version,
  };
  expect((await client.put(`/api/invoices/${draft}/`, change)).body.hints).toEqual([]);
  await client.put(`/api/invoices/${draft}/`, {
    ...change,
    issue_date: addDays(today, 40),
    version: version + 1,
  });
  const trial = await client.post('/api/invoices/queue/?dry_run=true');
  expect(trial.body).toMatchObject({ queueable: { drafts: 1 }, hinted: 1 });
  await register(client, draft);
  expect((await client.get(`/api/invoices/${draft}/`)).body).not.toHaveProperty('hints');
});

test('a draft dated before a registered document has a hint, and another company has none', async () => {
  // The test above has registered one that is dated 40 days from now.
  const draft = await createDraft(client, customer);
  expect(await hintsOf(draft)).toEqual([
    {
      code: 'SERIES_BACK',
      field: 'issue_date',
      message: `A registered document has a later date, ${addDays(today, 40)}`,
    },
  ]);
  const norwegian = await client.send({
    method: 'GET',
    url: `/api/invoices/${draft}/`,
    headers: { 'accept-language': 'nb' },
  });
  expect(norwegian.body.hints[0].message).toContain('har en senere dato');
  const old = await createDraft(client, customer, { issue_date: '2020-01-01' });
  expect(await hintsOf(old)).toMatchObject([{ code: 'DATE_BACK' }, { code: 'SERIES_BACK' }]);
  const neighbour = await testApp.login('nabo@example.no');
  await completeProfile(neighbour);
  const own = await createDraft(neighbour, await createCustomer(neighbour));
  expect((await neighbour.get(`/api/invoices/${own}/`)).body.hints).toEqual([]);
});

test('the latest date is one row of an index', async () => {
  const { db } = testApp.context;
  const companyId = await companyIdOf(db, 'dato@example.no');
  const plan = await planOf(
    db,
    async (one) => findLastIssueDate(one, companyId),
    'force_generic_plan',
  );
  expect(plan).toContain('invoice_figures');
  expect(plan).toContain('Limit');
  expect(plan).not.toContain('Sort');
});
