import fc from 'fast-check';

/** The part of JSON Schema that our OpenAPI document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
}

interface Options {
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** Existing values by field name, which are often used. */
  readonly known: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** The percentage of values that violate the schema, at every place of the input. */
  readonly mischief: number;
}

const LONE_SURROGATE = String.fromCodePoint(0xd800);

/** Values that have broken programs before. */
export const HOSTILE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\0',
    'a\0b',
    LONE_SURROGATE,
    `\u202Eabc`,
    '😀'.repeat(9),
    'a'.repeat(300),
    'a'.repeat(70_000),
    '1'.repeat(400),
    "'; DROP TABLE invoice; --",
    '%',
    '\\',
    '${7*7}',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '2026-02-30',
    '0000-00-00',
    '9999-12-31',
    'Infinity',
    'NaN',
    'true',
    'null',
    true,
    false,
    0,
    -0,
    -1,
    0.1,
    1.005,
    1e21,
    1e308,
    -1e308,
    5e-324,
    2 ** 31,
    2 ** 53,
    -(2 ** 53),
    90071992547409.91,
    [],
    [[]],
    [null],
    {},
    { length: 1e9 },
    { toString: 1, valueOf: 2 },
    JSON.parse('{"__proto__":{"isStaff":true},"constructor":{"prototype":{}}}'),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values that a schema allows, with violations at the rate of `mischief`. */
export function arbitraryOf(
  schema: JsonSchema,
  options: Options,
  name = '',
): fc.Arbitrary<unknown> {
  const fitting = fittingOf(schema, options);
  const known = options.known[name];
  const sound = known
    ? fc.oneof({ weight: 8, arbitrary: known }, { weight: 1, arbitrary: fitting })
    : fitting;
  if (options.mischief === 0) return sound;
  return fc.oneof(
    { weight: 100 - options.mischief, arbitrary: sound },
    { weight: options.mischief, arbitrary: HOSTILE },
  );
}

function fittingOf(schema: JsonSchema, options: Options): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const target = options.components[schema.$ref.split('/').at(-1) ?? ''];
    if (!target) throw new Error(`${schema.$ref} leads nowhere`);
    return fittingOf(target, options);
  }
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => fittingOf(option, options)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return wholeNumberOf(schema);
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, options), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, 4),
      });
    case 'object':
      return objectOf(schema, options);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const WORDS = ['Ørsta', 'Båt AS', 'Å', '1234', 'a.b', "O'Neil", '船', 'x'];

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 40 } = schema;
  switch (schema.format) {
    case 'email':
      return fc.nat(40).map((number) => `person${number}@example.no`);
    case 'uuid':
      return fc.uuid();
    case 'date':
      return fc
        .date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10));
    default:
      return fc
        .oneof(
          fc.constantFrom(...WORDS),
          fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) }),
        )
        .map((text) => text.padEnd(minLength, '0').slice(0, maxLength));
  }
}

function wholeNumberOf(schema: JsonSchema): fc.Arbitrary<number> {
  const min = schema.minimum ?? (schema.exclusiveMinimum ?? Number.MIN_SAFE_INTEGER - 1) + 1;
  const max = schema.maximum ?? Number.MAX_SAFE_INTEGER;
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min, max: Math.min(max, Math.max(min, 0) + 60) }) },
    { weight: 1, arbitrary: fc.integer({ min, max }) },
  );
}

function numberOf(schema: JsonSchema): fc.Arbitrary<number> {
  const { minimum = -1e6, maximum = 1e6, multipleOf = 0.01 } = schema;
  const steps = Math.round(1 / multipleOf);
  const min = Math.max(Math.ceil(minimum * steps), Number.MIN_SAFE_INTEGER);
  const max = Math.min(Math.floor(maximum * steps), Number.MAX_SAFE_INTEGER);
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.integer({ min: Math.max(min, -100_000), max: 1_000_000 }) },
      { weight: 1, arbitrary: fc.integer({ min, max }) },
    )
    .map((whole) => whole / steps);
}

function objectOf(schema: JsonSchema, options: Options): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      arbitraryOf(property, options, name),
    ]),
  );
  // With mischief, required fields go missing too.
  const whole = fc.record(fields, { requiredKeys: [...required] as never[] });
  if (options.mischief === 0) return whole;
  return fc.oneof(
    { weight: 100 - options.mischief, arbitrary: whole },
    { weight: options.mischief, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  );
}
