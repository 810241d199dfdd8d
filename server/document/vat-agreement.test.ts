import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { invoiceTotals, type InvoiceLine } from '../../domain/invoice/invoice.totals.ts';
import { formatOre, kronerToOre, ore, oreToDecimal, oreToKroner } from '../../domain/money.ts';
import { treatmentOf, VAT_TREATMENT_NAMES, vatRateOn } from '../../domain/vat-treatment.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { findPeppolRules, validateAll } from '../testing/peppol-validator.ts';
import { readWithPoppler, removeFolder, temporaryFolder } from '../testing/poppler.ts';

/** Other ones in each run. `VAT_INVOICES=300` for many. */
const RANDOM_INVOICES = Number(process.env['VAT_INVOICES'] ?? 8);
/** Days on which the low rate is 12, 6 and 12 %. */
const DATES = ['2019-05-17', '2020-12-24', '2026-11-26'];

const PRODUCTS = ['KL-1', 'Ål 7'];

const registered = VAT_TREATMENT_NAMES.filter((name) => name !== 'NOT_REGISTERED');
const anyInvoice = fc
  .record({
    isRegistered: fc.boolean(),
    date: fc.constantFrom(...DATES),
    lines: fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 99_999 }).map((thousandths) => thousandths / 1000),
        netUnitAmount: fc.integer({ min: -10_000, max: 9_999_999 }).map(ore),
        name: fc.constantFrom(...registered),
        productNumber: fc.constantFrom(null, ...PRODUCTS),
      }),
      { minLength: 1, maxLength: 9 },
    ),
  })
  .map(({ isRegistered, date, lines }) => ({
    isRegistered,
    date,
    lines: lines.map(({ name, ...line }): InvoiceLine => {
      const vatTreatment = isRegistered ? name : 'NOT_REGISTERED';
      const vatRate = vatRateOn(vatTreatment, date) ?? 0;
      return { ...line, vatTreatment, vatRate, unit: 'HUR', description: 'Vare' };
    }),
  }))
  .filter(({ lines }) => invoiceTotals(lines).gross >= 0);

let testApp: TestApp;
const clients = new Map<boolean, TestClient>();
const folder = temporaryFolder();

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff', FEATURES: 'vat,units,products' });
  for (const isRegistered of [true, false]) {
    const client = await testApp.login(`${isRegistered}@example.no`);
    await completeProfile(client, { vat_registered: isRegistered });
    await createCustomer(client);
    for (const number of PRODUCTS) {
      await client.post('/api/products/create/', { number, name: 'Vare', net_price: 1 });
    }
    clients.set(isRegistered, client);
  }
});
afterAll(async () => {
  await testApp.close();
  removeFolder(folder);
});

// INV-10, PRD-16, VAT-7
test(
  'form, API, paper and EHF agree to the øre, and the official rules find nothing fatal',
  {
    timeout: 300_000,
  },
  async () => {
    const documents: string[] = [];
    for (const { isRegistered, date, lines } of fc.sample(anyInvoice, RANDOM_INVOICES)) {
      const client = clients.get(isRegistered) as TestClient;
      const uuid = await createDraft(client, 1, {
        issue_date: date,
        delivery_country: 'SE',
        invoice_lines: lines.map((line) => ({
          description: line.description,
          invoiced_quantity: line.quantity,
          unit: line.unit,
          net_unit_amount: oreToKroner(line.netUnitAmount),
          vat_treatment: line.vatTreatment,
          product_number: line.productNumber,
        })),
      });
      await register(client, uuid);
      // The form computes with the same function (web/features/invoice/line-sums.test.ts).
      const { net, vat, gross, subtotals } = invoiceTotals(lines);
      const { body } = await client.get(`/api/invoices/${uuid}/`);
      expect([body.net_amount, body.vat_amount, body.gross_amount].map(kronerToOre)).toEqual([
        net,
        vat,
        gross,
      ]);
      const pdf = await testApp.app.http.inject({
        url: `/invoices/${uuid}/pdf/`,
        headers: { cookie: client.cookieHeader },
      });
      const printed = plain(readWithPoppler(folder, pdf.rawPayload).text());
      expect(printed).toContain(plain(formatOre(gross)));
      expect(printed).toContain(plain('Leveringsland Sverige'));
      const isReverse = lines.some(({ vatTreatment }) => vatTreatment === 'REVERSE');
      expect(printed.includes(plain('Kundens mva-nr. NO974760673MVA'))).toBe(isReverse);
      for (const part of isRegistered ? subtotals : []) {
        const { label, reason } = treatmentOf(part.vatTreatment ?? 'STANDARD');
        const name = part.vatRate > 0 ? `${part.vatRate} %` : label;
        expect(printed).toContain(plain(`${name} ${formatOre(part.net)} ${formatOre(part.vat)}`));
        expect(printed).toContain(plain((reason ?? '').slice(0, 20)));
      }
      const { text: ehf } = await client.get(`/api/invoices/${uuid}/efaktura/`);
      const texts = (name: string) =>
        [...ehf.matchAll(new RegExp(`<cbc:${name}[^>]*>([^<]*)<`, 'g'))].map(([, text]) => text);
      expect(texts('TaxAmount')).toEqual(
        [vat, ...subtotals.map((part) => part.vat)].map(oreToDecimal),
      );
      expect(texts('TaxableAmount')).toEqual(subtotals.map((part) => oreToDecimal(part.net)));
      expect(texts('PayableAmount')).toEqual([oreToDecimal(gross)]);
      const numbers = lines.flatMap(({ productNumber }) => productNumber ?? []);
      const items = ehf.matchAll(/<cac:SellersItemIdentification>\s*<cbc:ID>([^<]*)</g);
      expect([...items].map(([, number]) => number)).toEqual(numbers);
      for (const number of numbers) expect(printed).toContain(plain(`Produktnr. ${number}`));
      documents.push(ehf);
    }
    const rules = findPeppolRules();
    const verdicts = rules === null ? [] : validateAll(rules, documents);
    const faults = verdicts.flatMap(({ xsd, asserts }) =>
      [
        xsd,
        asserts.filter(({ flag }) => flag === 'fatal').map(({ id, text }) => `${id} ${text}`),
      ].flat(),
    );
    expect(faults).toEqual([]);
  },
);

/** Poppler puts more or fewer spaces between words and columns. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
