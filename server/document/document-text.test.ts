import { expect, test } from 'vitest';

import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import { ore } from '../../domain/money.ts';
import {
  sampleBuyer,
  sampleCreditNote,
  sampleInvoice,
  sampleLine,
} from '../testing/invoice-documents.ts';
import { sampleNotice, sampleReminder } from '../testing/reminder-documents.ts';
import {
  readReminder,
  readText,
  reminderVersionOf,
  versionOf,
  writeReminder,
  writeText,
} from './document-text.ts';

const LOGO = 'ab'.repeat(32);
const LINE = sampleLine('Rådgivning', 2, 1_250);
const SAYING_MORE = [
  { message: 'Takk for sist!\nHils hjemme.' },
  { logo: LOGO },
  { lines: [{ ...LINE, unit: 'HUR' }] },
];

const BUYERS = [
  { ...sampleBuyer, country: 'SE' },
  { ...sampleBuyer, contactName: 'Åsa' },
  { ...sampleBuyer, invoiceEmails: ['a@b.no', 'c@d.no'] },
];

const NOTE = sampleCreditNote();
const CREDITING = [
  { credits: NOTE.credits && { ...NOTE.credits, extent: 'PART' as const } },
  {
    vatSubtotals: [{ vatRate: 25, vatTreatment: 'STANDARD', net: ore(10), vat: ore(2) }] as const,
  },
];

// CRE-13
test.each<[number, InvoiceDocument]>([
  [1, sampleInvoice()],
  [2, sampleInvoice({ kidModulus: 'MOD10' })],
  ...SAYING_MORE.map((changes): [number, InvoiceDocument] => [3, sampleInvoice(changes)]),
  ...BUYERS.map((buyer): [number, InvoiceDocument] => [6, sampleInvoice({ buyer })]),
  [1, NOTE],
  [10, sampleInvoice({ quoteNumber: 12 })],
  ...CREDITING.map((changes): [number, InvoiceDocument] => [8, { ...NOTE, ...changes }]),
])('has the oldest version that names what it holds: %i', (version, document) => {
  expect(versionOf(document)).toBe(version);
  expect(readText(writeText(document, version), version)).toEqual(document);
});

test.each(SAYING_MORE)('nothing that came later is left out of an older text: %j', (changes) => {
  const plain = sampleInvoice({ lines: [LINE] });
  expect(writeText({ ...plain, ...changes }, 1)).not.toBe(writeText(plain, 1));
});

// The format of issued texts never changes: databases hold these texts, under hashes.
test('its text has its fields in order, and after the first version begins with that', () => {
  const lines = [LINE];
  const rest =
    '"invoiceNumber":10027,"issueDate":"2026-11-21","kid":"000104200000100272","kidModulus":null,"kind":"INVOICE"';
  expect(writeText(sampleInvoice({ lines }), 1)).toMatch(
    /"lines":\[\{"description":"Rådgivning","netUnitAmount":125000,"quantity":2,"vatRate":25\}\],"reference"/,
  );
  const text = writeText(sampleInvoice({ lines, message: 'Takk\n!', logo: LOGO }), 3);
  expect(text).toMatch(/^\[3,\{"bankAccountNumber":"12341112344","buyer":\{/);
  expect(text).toContain(
    `${rest},"lines":[{"description":"Rådgivning","netUnitAmount":125000,"quantity":2,"unit":null,"vatRate":25}],"logo":"${LOGO}","message":"Takk\\n!","reference"`,
  );
});

test('a reminder is frozen as text from which it is read again', () => {
  const withLogo = sampleReminder({ logo: 'a1'.repeat(32) });
  for (const document of [sampleReminder(), sampleNotice(), withLogo]) {
    const version = reminderVersionOf(document);
    expect(version).toBe(document === withLogo ? 2 : 1);
    expect(readReminder(writeReminder(document), version)).toEqual(document);
  }
});

// The format of reminder texts never changes: databases hold this text.
test('the text of a reminder begins with its version and has its fields in order', () => {
  expect(writeReminder(sampleReminder())).toBe(
    '[1,{"bankAccountNumber":"12341112344","buyer":{"address1":"Verksgata 15","address2":null,"city":"Bærums Verk","customerNumber":1042,"email":"regnskap@kaffe.example","name":"Bærums Verk Kaffebrenneri AS","orgNumber":"987654325","postalCode":"1353"},"compensation":0,"date":"2026-12-09","dueDate":"2026-12-23","earlier":0,"fee":0,"interest":null,"invoice":{"about":"Profildesign og logo m.m.","dueDate":"2026-12-05","grossAmount":2663016,"issueDate":"2026-11-21","paidAmount":0},"invoiceNumber":10027,"kid":"000104200000100272","kidModulus":null,"kind":"REMINDER","reference":"Kari Nordmann","seller":{"address1":"Storgata 12","address2":null,"city":"Oslo","email":"post@fjordlys.example","foretaksregisteret":true,"name":"Fjordlys Design AS","orgNumber":"123456785","postalCode":"0184","vatRegistered":true}}]',
  );
});

test.each(BUYERS)('a reminder keeps what its buyer has beside the first fields', (buyer) => {
  const document = sampleNotice({ buyer });
  expect(reminderVersionOf(document)).toBe(3);
  expect(readReminder(writeReminder(document), 3)).toEqual(document);
});

test('a reminder of a partly credited invoice states that', () => {
  const { invoice } = sampleNotice();
  const document = sampleNotice({ invoice: { ...invoice, creditedAmount: ore(100) } });
  expect(reminderVersionOf(document)).toBe(4);
  expect(readReminder(writeReminder(document), 4)).toEqual(document);
});

test('a reminder of a version to come is not guessed at', () => {
  expect(() => readReminder('[99,{}]', 99)).toThrow(RangeError);
});
