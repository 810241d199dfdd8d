import { expect, test } from 'vitest';

import { validate } from '../../domain/api/validation.ts';
import { API_ENDPOINTS } from '../../domain/endpoints.ts';
import { explain } from './explanations.ts';

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

/** All error messages of a schema, collected by trying each value of `ODD` in each field. */
function messagesOf(schema: NonNullable<(typeof API_ENDPOINTS)[number]['body']>): Set<string> {
  const messages = new Set<string>();
  const note = (input: unknown) => {
    const result = validate(schema, input);
    const faults = result.ok ? [] : result.faults;
    for (const { message } of faults) messages.add(message);
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
  return messages;
}

test('every refusal of an input has its explanation', () => {
  const schemas = API_ENDPOINTS.flatMap(({ body, query }) => [body, query]).filter(
    (it) => it !== undefined,
  );
  const messages = new Set(schemas.map(messagesOf).flatMap((some) => Array.from(some)));
  expect(messages.size).toBeGreaterThan(100);
  expect([...messages].filter((message) => explain(message) === null)).toEqual([]);
});

test.each([
  ['name is a required field', 'Dette må fylles ut.'],
  ['orgNumber must be exactly 9 characters', 'Skriv nøyaktig 9 tegn.'],
  ['bankAccounts field must have at least 1 items', 'Legg til minst én.'],
  ['Missing groupUuid', '… eller en kundegruppe.'],
  ['issueDate must be between 1900-01-01 and 9999-12-31', 'Skriv en dato fra 1900 til 9999.'],
  ['Bad Request', 'Noe i det som ble sendt, er feil.'],
  ['Kundenummer 5 er i bruk', null],
])('%s', (english, norwegian) => {
  expect(explain(english)).toBe(norwegian);
});
