import { expect, test } from 'vitest';

import { inEnglish, type Rule } from '../../domain/api/rules.ts';
import { validate, type Fault } from '../../domain/api/validation.ts';
import { API_ENDPOINTS } from '../../domain/endpoints.ts';
import { explain, readRule, SENTENCES } from './explanations.ts';

const LONG = 'x'.repeat(30_000);
/** Invalid values that people and programs send. */
const ODD: readonly unknown[] = [
  undefined,
  '',
  'x',
  LONG,
  'a\u0000b',
  '\uD800',
  'kari@firma',
  '2026-13-01',
  '0001-01-01',
  -1,
  0,
  0.5,
  1.23456,
  1e15,
  1e30,
  true,
  [],
  {},
  ['x', 'x'],
  [1, 1],
  Array.from({ length: 20_000 }, (_, index) => index + 1),
  [{}],
];

/** All faults of a schema by their messages, collected by trying each value of `ODD` in each field. */
function faultsOf(schema: NonNullable<(typeof API_ENDPOINTS)[number]['body']>) {
  const found = new Map<string, Fault>();
  const note = (input: unknown) => {
    const result = validate(schema, input);
    const faults = result.ok ? [] : result.faults;
    for (const fault of faults) found.set(fault.message, fault);
    return faults;
  };
  const fields = new Set(note({}).map(({ path }) => String(path[0])));
  const shape: object = 'shape' in schema ? (schema.shape as object) : {};
  for (const field of [...fields, ...Object.keys(shape)]) {
    for (const value of ODD) {
      // Also tries the values one level deeper: in the first item of a list, or in an object.
      for (const { path } of note({ [field]: value })) {
        const [, first, second] = path;
        if (first === undefined) continue;
        const key = String(second ?? first);
        for (const inner of ODD)
          note({ [field]: Array.isArray(value) ? [{ [key]: inner }] : { [key]: inner } });
      }
    }
  }
  return found;
}

/** A rule as it is read from a message: with texts in place of numbers. */
function asRead(rule: Rule) {
  return rule.map(String);
}

// WEB-15, WIRE-14
test.each(SENTENCES)('%s is told, read from what is told, and told in Norwegian', (sentence) => {
  const names = inEnglish('bank_accounts[0].x', sentence, '{1}', '{2}').match(/\{\d\}/g) ?? [];
  const values = names.map((_, index) => 1900 + index);
  const english = inEnglish('bank_accounts[0].x', sentence, ...values);
  expect(english).not.toMatch(/[{}]|undefined/);
  expect(readRule(english)).toEqual(asRead([sentence, ...values]));
  expect(explain(english)).toMatch(/^(?!.*(?:[{}]|undefined)).*\p{L}.*[.…]$/u);
});

test('every refusal of an input names its rule, and has its explanation', () => {
  const schemas = API_ENDPOINTS.flatMap(({ body, query }) => [body, query]).filter(
    (it) => it !== undefined,
  );
  const found = new Map(schemas.flatMap((schema) => Array.from(faultsOf(schema))));
  expect(found.size).toBeGreaterThan(100);
  for (const [message, { rule }] of found) {
    expect(readRule(message)).toEqual(rule && asRead(rule));
    expect(explain(message)).not.toBeNull();
  }
});

test.each([
  ['name is a required field', 'Dette må fylles ut.'],
  ['orgNumber must be exactly 9 characters', 'Skriv nøyaktig 9 tegn.'],
  ['bankAccounts field must have at least 1 items', 'Legg til minst én.'],
  ['Missing groupUuid', '… eller en kundegruppe.'],
  ['issueDate must be between 1900-01-01 and 2999-12-31', 'Skriv en dato fra 1900 til 2999.'],
  ['Content-Type must be image/png or image/jpeg', 'Feil filtype.'],
  ['The body is nested too deep', 'Noe i det som ble sendt, er feil.'],
  ['Bad Request', 'Noe i det som ble sendt, er feil.'],
  ['Kundenummer 5 er i bruk', null],
])('%s', (english, norwegian) => {
  expect(explain(english)).toBe(norwegian);
});
