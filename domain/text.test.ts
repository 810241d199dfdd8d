import { expect, test } from 'vitest';
import { z } from 'zod';

import { API_ENDPOINTS } from './endpoints.ts';

const DECOMPOSED = 'A\u030A';

/** Every string in a schema, at any depth. */
function* stringsIn(schema: unknown, seen = new Set<unknown>()): Generator<z.ZodType> {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema instanceof z.ZodString) yield schema;
  if (!(schema instanceof z.ZodType)) return;
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

const strings = API_ENDPOINTS.flatMap(({ id, query, body, bodyWithUnits }) =>
  [query, body, bodyWithUnits].flatMap((schema) =>
    [...stringsIn(schema)].map((text) => [id, text] as const),
  ),
);

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
