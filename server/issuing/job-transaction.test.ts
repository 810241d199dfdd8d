import { afterAll, beforeAll, expect, test } from 'vitest';

import { termsOfDraft } from '../../domain/invoice/invoice.terms.ts';
import { ore } from '../../domain/money.ts';
import type { Trx } from '../platform/db/database.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import { lockIssuer } from '../company/profile.repository.ts';
import { createDrafts } from './drafts.service.ts';
import { markInvoice } from '../payment/mark-paid.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer } from '../testing/factories.ts';
import { register } from './registration.service.ts';

const EMAIL = 'jobs@example.no';
const WOOD = {
  quantity: 1,
  unit: null,
  description: 'Ved',
  netUnitAmount: ore(10_000),
  vatRate: 25,
  vatTreatment: 'STANDARD',
  productNumber: null,
} as const;

let testApp: TestApp;
let client: TestClient;
let companyId: number;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff' });
  client = await testApp.login(EMAIL);
  await completeProfile(client);
  customer = await createCustomer(client);
  companyId = await companyIdOf(testApp.context.db, EMAIL);
});
afterAll(async () => testApp.close());

/** The work of a job without a request: creates an invoice, registers it and marks it as paid. */
async function sellForCash(trx: Trx): Promise<void> {
  const issuer = await lockIssuer(trx, companyId);
  const drafts = await createDrafts(trx, issuer, SYSTEM, {
    recipients: { customerNumbers: [customer], groupUuid: null },
    content: { deliveryType: 'NONE', dueDays: 14, lines: [WOOD] },
    terms: termsOfDraft({ issueDate: '2026-11-20', reference: 'Kasse 1' }, issuer),
  });
  await register(testApp.context, trx, { issuer, author: SYSTEM, asked: null }, drafts);
  for (const { uuid } of drafts)
    await markInvoice(trx, companyId, SYSTEM, { uuid, status: 'PAID' });
}

test('a job makes, registers and marks an invoice in one transaction, without a request', async () => {
  const { db } = testApp.context;
  await db.transaction().execute(sellForCash);
  const [invoice] = (await client.get('/api/invoices/')).body.results;
  expect(invoice).toMatchObject({
    invoice_number: 1,
    status: 'PAID',
    reference: 'Kasse 1',
    gross_amount: 125,
  });
  const history = (await client.get(`/api/invoices/${invoice.uuid}/history/`)).body;
  expect(history.map(({ kind, by }: { kind: string; by: object }) => [kind, by])).toEqual(
    ['PAID', 'PAYMENT', 'REGISTERED', 'CREATED'].map((kind) => [
      kind,
      { type: 'SYSTEM', name: 'Faktur' },
    ]),
  );
  expect((await client.get('/api/invoices/1/efaktura/')).status).toBe(200);
});

test('a failed transaction leaves nothing, and its number is given again', async () => {
  const { db } = testApp.context;
  const failing = db.transaction().execute(async (trx) => {
    await sellForCash(trx);
    throw new Error('The job failed at its end');
  });
  await expect(failing).rejects.toThrow('The job failed');
  expect((await client.get('/api/invoices/')).body.count).toBe(1);
  await db.transaction().execute(sellForCash);
  const numbers = (await client.get('/api/invoices/')).body.results.map(
    ({ invoice_number: number }: { invoice_number: number }) => number,
  );
  expect(numbers).toEqual([2, 1]);
});
