import { expect, test } from 'vitest';
import { z } from 'zod/mini';

import { FEATURES } from './api/endpoint.ts';
import { API_ENDPOINTS } from './endpoints.ts';
import { cellText } from './api/list-import.ts';
import { tidyOrgNumber, tidyPhoneNumber, visibleDigits, visibleText } from './text.ts';

const DECOMPOSED = 'A\u030A';

/** Every string in a schema, at any depth. */
function* stringsIn(schema: unknown, seen = new Set<unknown>()): Generator<z.ZodMiniType> {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema instanceof z.ZodMiniString) yield schema;
  if (!(schema instanceof z.ZodMiniType)) return;
  const definition = schema._zod.def as unknown as Record<string, unknown>;
  const outermost = [...stringsIn(definition['in'], seen)];
  yield* outermost;
  // The next part of a pipe receives the output of the previous one.
  if (outermost.length > 0) return;
  const parts = ['out', 'innerType', 'element', 'valueType', 'left', 'right']
    .map((name) => definition[name])
    .concat(definition['options'] ?? [], Object.values(definition['shape'] ?? {}));
  for (const part of parts) yield* stringsIn(part, seen);
}

const strings = API_ENDPOINTS.flatMap(({ id, query, body, bodyFor }) =>
  [query, body, bodyFor?.(new Set(FEATURES))].flatMap((schema) =>
    [...stringsIn(schema)].map((text) => [id, text] as const),
  ),
);

// WIRE-6
test('every text that a call accepts is normalised to NFC', () => {
  let taken = 0;
  for (const [id, schema] of strings) {
    for (let length = 1; length <= 12; length += 1) {
      const result = schema.safeParse(DECOMPOSED.repeat(length));
      if (!result.success) continue;
      taken += 1;
      expect([id, result.data]).toEqual([id, String(result.data).normalize('NFC')]);
    }
  }
  // Names, addresses, descriptions, messages, searches.
  expect(taken).toBeGreaterThan(200);
});

test.each([
  ['974760673', '974760673'],
  ['974 760 673', '974760673'],
  ['974\u00A0760\u202F673', '974760673'],
  ['974.760.673', '974760673'],
  ['\u202A974760673\u202C', '974760673'],
  ['\uFEFF974\u200B760673', '974760673'],
  ['NO 974 760 673 MVA', '974760673'],
  ['974760673mva', '974760673'],
  ['NO974760673', '974760673'],
  // Other text is counted unchanged.
  ['97476067', '97476067'],
  ['NO1234567', 'NO1234567'],
  ['ABCÆØÅ 12', 'ABCÆØÅ 12'],
])('the organisation number %j is %j', (text, number) => {
  expect(tidyOrgNumber(text)).toBe(number);
});

test.each([
  ['91234567', '91234567'],
  ['912 34 567', '91234567'],
  ['+47 912 34 567', '91234567'],
  ['+4791234567', '91234567'],
  ['(+47) 91-23-45-67', '91234567'],
  ['0047 91.23.45.67', '91234567'],
  ['4791234567', '91234567'],
  ['\u202D+47\u00A0912\u00A034\u00A0567\u202C', '91234567'],
  ['91\u201123\u201145\u201167', '91234567'],
  // Eight digits that happen to begin with the country code are a Norwegian number.
  ['47123456', '47123456'],
  ['+46 70 123 45 67', '+46 70 123 45 67'],
  ['+4722334', '+4722334'],
  ['22 33 44', '223344'],
])('the phone number %j is %j', (text, number) => {
  expect(tidyPhoneNumber(text)).toBe(number);
});

test.each([
  ["'0150", '0150'],
  ['\u20190150', '0150'],
  ['="0150"', '0150'],
  ['150.0', '150'],
  ['150,00', '150'],
  ['1.000', '1.000'],
  ["'t Hooft AS", "'t Hooft AS"],
  ['="Kari Dal"', 'Kari Dal'],
  ['"Kaia" Dal', '"Kaia" Dal'],
])('the cell %j was meant as %j', (cell, text) => {
  expect(cellText(cell)).toBe(text);
});

test('a postcode keeps its space, and a text that is not a number stays unchanged', () => {
  expect(visibleDigits('\u202A123 45\u202C')).toBe('123 45');
  expect(visibleDigits('SW1A\u200B 2AA')).toBe('SW1A\u200B 2AA');
});

test('invisible characters are removed', () => {
  expect(visibleText('\u200B\uFEFF \u202A')).toBe('');
});
