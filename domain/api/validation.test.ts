import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';

import { API_ENDPOINTS } from '../endpoints.ts';
import { assignmentBody, previewBody } from '../recurring/recurring.schema.ts';
import { deliveryBody } from '../delivery/delivery.schema.ts';
import { draftBody, invoiceBody } from '../invoice/invoice.schema.ts';
import { forFeatures } from '../invoice/invoice-line.schema.ts';
import { profileForm } from '../profile/profile.schema.ts';
import { reminderSettingsForm } from '../profile/reminder-settings.schema.ts';
import { verifyBody } from '../session/session.schema.ts';
import { NO_FEATURES, type Feature } from './endpoint.ts';
import { validate } from './validation.ts';

const FEATURE_SETS: readonly ReadonlySet<Feature>[] = [
  NO_FEATURES,
  new Set(['units']),
  new Set(['vat']),
  new Set(['units', 'vat']),
];
const LINE_FORMS = FEATURE_SETS.map(forFeatures((line) => line));
const INVOICE_BODY = invoiceBody(NO_FEATURES);

const LINE = { invoicedQuantity: 1, description: 'a', netUnitAmount: 1, vatRatePercentage: 25 };
const LONG = `${'a'.repeat(990)}{periode}`;
const ACCOUNT = '12341112345';

/** Values that no date field accepts, some of another type. */
const WRONG_DATES = ['', null, undefined, 'x', '2026-13-32', '0001-01-01', 7];
const WRONG_DAYS = ['', null, undefined, 1.5, 1e300, 0, '14', Number.NaN];

function faultsOf(schema: z.ZodMiniType, body: unknown): string[] {
  const result = validate(schema, body);
  return result.ok ? [] : result.faults.map(({ field }) => field);
}

describe('every fault is reported at once', () => {
  test.each([INVOICE_BODY, assignmentBody(NO_FEATURES)])(
    'of recipients, dates and terms %#',
    (schema) => {
      for (const issueDate of WRONG_DATES) {
        for (const dueDays of WRONG_DAYS) {
          const body = { issueDate, firstDate: issueDate, dueDays, customerNumbers: [] };
          expect(faultsOf(schema, body)).toEqual(
            expect.arrayContaining([
              'customerNumbers',
              'groupUuid',
              'dueDays',
              'deliveryType',
              'invoiceLines',
              schema === INVOICE_BODY ? 'issueDate' : 'firstDate',
            ]),
          );
        }
      }
    },
  );

  test("a missing template's fields, beside a wrong version", () => {
    const fields = faultsOf(draftBody(NO_FEATURES), { issueDate: '', version: 1.5 });
    expect(fields).toEqual(
      expect.arrayContaining(['issueDate', 'version', 'customerNumber', 'dueDays', 'invoiceLines']),
    );
  });

  test('a line whose sum is too large, and a line with wrong fields', () => {
    const uncountable = { ...LINE, invoicedQuantity: 9e9, netUnitAmount: 9e9 };
    const lines = [{ ...LINE, invoicedQuantity: 1.00001, description: '' }, null, uncountable];
    for (const line of LINE_FORMS) {
      expect(faultsOf(z.array(line), lines)).toEqual([
        '[0].invoicedQuantity',
        '[0].description',
        '[1]',
        '[2].netUnitAmount',
      ]);
      const dear = { ...uncountable, description: null };
      expect(faultsOf(line, dear)).toEqual(['description', 'netUnitAmount']);
    }
  });

  test('an assignment: dates, end and texts', () => {
    const body = {
      interval: { unit: 'MONTH', count: 1.5 },
      firstDate: '2026-02-30',
      lastDate: '2026-01-01',
      occurrences: 0.5,
      message: LONG,
      invoiceLines: [null, { ...LINE, invoicedQuantity: 0, description: LONG }],
    };
    expect(faultsOf(assignmentBody(NO_FEATURES), body)).toEqual(
      expect.arrayContaining([
        'interval.count',
        'day',
        'firstDate',
        'occurrences',
        'message',
        'invoiceLines[1].invoicedQuantity',
        'invoiceLines[1].description',
      ]),
    );
    const week = { interval: { unit: 'WEEK', count: 9 }, day: 3, firstDate: '', lastDate: 'x' };
    expect(faultsOf(previewBody, week)).toEqual(['interval.count', 'firstDate', 'lastDate', 'day']);
    expect(faultsOf(previewBody, { interval: null, firstDate: null })).toEqual([
      'interval',
      'firstDate',
    ]);
  });

  test('accounts, steps, deliveries and codes', () => {
    const account = { bankAccountNumber: ACCOUNT, isPrimary: true };
    const bankAccounts = [account, account, { bankAccountNumber: 'x' }, { isPrimary: 7 }];
    const messages = validate(profileForm, { bankAccounts });
    expect(messages).toMatchObject({
      faults: expect.arrayContaining([
        expect.objectContaining({ message: 'bankAccounts must not list the same account twice' }),
        expect.objectContaining({ message: 'bankAccounts must have only one primary account' }),
      ]),
    });
    const steps = [
      { days: 1.5, kind: 'NOTICE', fee: false, interest: false },
      { days: 20, kind: 'REMINDER', fee: true, interest: false },
      { days: 10, kind: 'NOTICE', fee: false, interest: false },
    ];
    expect(faultsOf(reminderSettingsForm, { steps, minimumAmount: -1 })).toEqual(
      expect.arrayContaining(['steps[0].days', 'steps[1].fee', 'steps[2].days', 'minimumAmount']),
    );
    expect(faultsOf(deliveryBody, { deliveryType: 'EHF', recipient: 'a@b.no' })).toEqual([
      'recipient',
    ]);
    expect(faultsOf(verifyBody, { email: 'x' })).toEqual(['email', 'registrationToken']);
  });
});

test('only files and imports may be larger than other bodies (WIRE-16)', () => {
  const larger = API_ENDPOINTS.flatMap(({ path, upload, largestBody }) =>
    upload === undefined && largestBody === undefined ? [] : [[path, upload ?? largestBody]],
  );
  const MB = 1024 * 1024;
  expect(Object.fromEntries(larger)).toEqual({
    '/api/customers/import/': 8 * MB,
    '/api/products/import/': 8 * MB,
    '/api/payments/files/': 50_000_000,
    '/api/users/logo/': MB,
    '/api/invoices/{invoiceUuid}/attachments/': 5 * MB,
    '/api/quotes/{quoteUuid}/attachments/': 5 * MB,
  });
});

describe('a check in the body of a call', () => {
  test.each(
    API_ENDPOINTS.flatMap(({ id, body, bodyFor }) =>
      [body, ...FEATURE_SETS.map((features) => bodyFor?.(features))].flatMap((schema) =>
        schema ? [[id, schema] as const] : [],
      ),
    ),
  )('%s hides no other faults, and names a rule', (_, body) => {
    const found: string[] = [];
    for (const schema of partsOf(body)) {
      for (const check of schema._zod.def.checks ?? []) {
        const { def } = check._zod;
        const message = def.error?.({} as never);
        const isRule = def.check !== 'custom' || 'params' in def;
        if (message && !isRule) found.push(`no rule: ${JSON.stringify(message)}`);
        if (def.abort || def.check === 'number_format') found.push(`${def.check} aborts`);
        const isOfSeveral = schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniArray;
        if (isOfSeveral && def.check === 'custom' && !def.when) found.push('refine without when');
      }
    }
    expect(found).toEqual([]);
  });
});

/** A schema and every schema inside it. */
function partsOf(root: z.core.$ZodType): ReadonlySet<z.core.$ZodType> {
  const parts = new Set<z.core.$ZodType>();
  const visit = (value: unknown): void => {
    if (value instanceof z.core.$ZodType) {
      if (parts.has(value)) return;
      parts.add(value);
      visit(value._zod.def);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(root);
  return parts;
}
