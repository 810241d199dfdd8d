import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { toCamelCase } from '../../domain/api/case.ts';
import { invoice } from '../../domain/invoice/invoice.schema.ts';
import { invoiceTotals, lineGross, lineNet } from '../../domain/invoice/invoice.totals.ts';
import { oreToKroner, type Ore } from '../../domain/money.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { anyLine } from '../testing/any-documents.ts';
import type { TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  invoiceBody,
  LINES,
  register,
} from '../testing/factories.ts';

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: 'units' });
  client = await testApp.login();
  await completeProfile(client);
  customer = await createCustomer(client);
});
afterAll(async () => testApp.close());

test('sums equal those of the domain for any lines', async () => {
  const lines = fc.array(anyLine, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(lines, async (given) => {
      const { net, vat, gross } = invoiceTotals(given);
      const answer = await client.post(
        '/api/invoices/create/',
        invoiceBody([customer], {
          invoice_lines: given.map((line, index) => ({
            invoiced_quantity: line.quantity,
            unit: line.unit,
            description: `Linje ${index}`,
            net_unit_amount: oreToKroner(line.netUnitAmount),
            vat_rate_percentage: line.vatRate,
          })),
        }),
      );
      const [draft] = answer.body;
      await client.delete(`/api/invoices/${draft.uuid}/`);
      expect([draft.net_amount, draft.vat_amount, draft.gross_amount]).toEqual(
        [net, vat, gross].map(oreToKroner),
      );
      const sums = draft.lines.map((line: Record<string, number>) => [
        line['net_unit_amount'],
        line['net_amount'],
        line['gross_amount'],
      ]);
      const kroner = (...amounts: Ore[]) => amounts.map(oreToKroner);
      expect(sums).toEqual(
        given.map((line) => kroner(line.netUnitAmount, lineNet(line), lineGross(line))),
      );
      expect(
        draft.lines.map((line: Record<string, unknown>) => [
          line['invoiced_quantity'],
          line['unit'],
        ]),
      ).toEqual(given.map(({ quantity, unit }) => [quantity, unit ?? 'EA']));
    }),
    { numRuns: 40 },
  );
});

test('the greatest possible sum is exact to the øre', async () => {
  const price = 90_071_992_547_409.91;
  const answer = await client.post(
    '/api/invoices/create/',
    invoiceBody([customer], {
      invoice_lines: [{ ...LINES[0], net_unit_amount: price, vat_rate_percentage: 0 }],
    }),
  );
  expect(answer.body[0]).toMatchObject({ net_amount: price, gross_amount: price });
  await client.delete(`/api/invoices/${answer.body[0].uuid}/`);
});

// INV-3
test('every kind of invoice matches the contract, alone and in the list', async () => {
  const number = await register(client, await createDraft(client, customer));
  await client.delete(`/api/invoices/${number}/`);
  await createDraft(client, customer);
  const list = (await client.get('/api/invoices/')).body.results;
  const kinds = new Set<string>();
  for (const listed of list) {
    expect(invoice.safeParse(toCamelCase(listed)).error).toBeUndefined();
    // Hints are of a draft that is read by itself.
    const hints = listed.status === 'DRAFT' ? { hints: [] } : {};
    expect((await client.get(`/api/invoices/${listed.uuid}/`)).body).toEqual({
      ...listed,
      ...hints,
    });
    kinds.add(`${listed.kind} ${listed.status}`);
  }
  expect(kinds).toContain('INVOICE CANCELLED');
  expect(kinds).toContain('CREDIT_NOTE REGISTERED');
  expect(kinds).toContain('INVOICE DRAFT');
});

// INV-15
test('a draft shows the current customer, a registered invoice the frozen buyer', async () => {
  const registered = await createDraft(client, customer);
  const draft = await createDraft(client, customer);
  await register(client, registered);
  const nameOf = async (uuid: string) =>
    (await client.get(`/api/invoices/${uuid}/`)).body.customer_name;
  await client.put(`/api/customers/${customer}/update/`, { ...CUSTOMER, name: 'Nytt navn' });
  expect(await nameOf(draft)).toBe('Nytt navn');
  expect(await nameOf(registered)).toBe(CUSTOMER.name);
});
