import { describe, expect, test } from 'vitest';
import type { z } from 'zod/mini';

import { NO_FEATURES } from '../api/endpoint.ts';
import { validate } from '../api/validation.ts';
import * as endpoints from './recurring.endpoints.ts';
import { assignmentBody, previewBody } from './recurring.schema.ts';

const LINE = {
  invoicedQuantity: 1,
  description: 'Husleie {måned}',
  netUnitAmount: 9000,
  vatRatePercentage: 0,
} as const;

const FORM: z.input<ReturnType<typeof assignmentBody>> = {
  name: 'Husleie',
  customerNumbers: [1],
  deliveryType: 'EMAIL',
  dueDays: 14,
  invoiceLines: [LINE],
  interval: { unit: 'MONTH', count: 1 },
  day: 1,
  firstDate: '2026-01-01',
};

function faultsOf(changes: object): string[] {
  const result = validate(assignmentBody(NO_FEATURES), { ...FORM, ...changes });
  return result.ok ? [] : result.faults.map(({ message }) => message);
}

test('every call belongs to the feature', () => {
  for (const { feature, path } of Object.values(endpoints)) {
    expect(feature).toBe('recurring');
    expect(path).toMatch(/^\/api\/invoices\/recurring\//);
  }
});

describe('an assignment', () => {
  // REC-6
  test('makes drafts by default', () => {
    const result = validate(assignmentBody(NO_FEATURES), FORM);
    expect(result).toMatchObject({ ok: true, value: { mode: 'DRAFT', groupUuid: null } });
  });

  test('takes its terms from a template, or has its own', () => {
    expect(faultsOf({ invoiceLines: undefined, dueDays: undefined })).toEqual([
      'dueDays is a required field',
      'invoiceLines is a required field',
    ]);
    expect(faultsOf({ invoiceLines: 'not looked at', templateId: 1 })).toEqual([]);
  });

  test('has no text in braces that no run fills in (REC-19)', () => {
    const lines = [LINE, { ...LINE, description: 'Leie {maaned} {år}' }];
    expect(faultsOf({ invoiceLines: lines, message: 'Takk for {MÅNED}' })).toEqual([
      'invoiceLines[1].description has a placeholder that is not known: {maaned}',
      'message has a placeholder that is not known: {MÅNED}',
    ]);
    expect(faultsOf({ invoiceLines: lines, templateId: 1, message: '{} {{år}}' })).toEqual([]);
  });

  // REC-2
  test.each([
    ['WEEK', 1, 4, 5],
    ['MONTH', 3, 12, 4],
  ])('repeats each so many %ss as agreed on', (unit, some, most, other) => {
    const day = unit === 'WEEK' ? null : 'LAST';
    for (const count of [some, most]) {
      expect(faultsOf({ interval: { unit, count }, day })).toEqual([]);
    }
    expect(faultsOf({ interval: { unit, count: other }, day })).toEqual([
      'interval.count must be 1, 2, 3 or 4 weeks, or 1, 2, 3, 6 or 12 months',
    ]);
  });

  // REC-2
  test('has a day of the month for months, and none for weeks', () => {
    expect(faultsOf({ day: undefined })).toEqual(['day is a required field']);
    expect(faultsOf({ day: 32 })).toHaveLength(1);
    expect(faultsOf({ interval: { unit: 'WEEK', count: 1 } })).toEqual([
      'day must be null for weeks',
    ]);
  });

  // REC-17
  test('has one kind of end, not before its start', () => {
    expect(faultsOf({ lastDate: '2026-01-01' })).toEqual([]);
    expect(faultsOf({ occurrences: 12, lastDate: '2026-12-31' })).toEqual([
      'occurrences cannot be combined with last_date',
    ]);
    expect(faultsOf({ lastDate: '2025-12-31' })).toEqual([
      'lastDate must not be before the first date',
    ]);
  });

  test('keeps the line breaks of its message', () => {
    const result = validate(assignmentBody(NO_FEATURES), {
      ...FORM,
      message: ' Hei\r\nTakk for {måned}\n',
    });
    expect(result).toMatchObject({ ok: true, value: { message: 'Hei\nTakk for {måned}' } });
    expect(faultsOf({ message: 'a\u0007b' })).toEqual([
      'message must not contain control characters',
    ]);
  });

  // REC-11
  test('its texts have room for the longest replacement', () => {
    // '{periode}' grows by at most 20 characters.
    const fits = `${'x'.repeat(971)}{periode}`;
    const isLonger = `x${fits}`;
    const lines = [LINE, { ...LINE, description: isLonger }];
    expect(faultsOf({ message: fits, invoiceLines: [{ ...LINE, description: fits }] })).toEqual([]);
    expect(faultsOf({ message: isLonger, invoiceLines: lines })).toEqual([
      'invoiceLines[1].description with its placeholders filled in must be at most 1000 characters',
      'message with its placeholders filled in must be at most 1000 characters',
    ]);
    expect(faultsOf({ message: 'x'.repeat(1000) })).toEqual([]);
    // With a template, the form's lines are ignored.
    expect(faultsOf({ invoiceLines: lines, templateId: 1 })).toEqual([]);
  });
});

test('a preview takes the dates alone or the whole form', () => {
  const { interval, day, firstDate } = FORM;
  expect(validate(previewBody, { interval, day, firstDate }).ok).toBe(true);
  expect(validate(previewBody, FORM).ok).toBe(true);
});
