import { z } from 'zod';

import { visibleText } from './typed-digits.ts';

/** The type of `schema.nullish()` when null is the only form of absence. */
type Optional<S extends z.ZodType> = z.ZodPipe<
  z.ZodOptional<z.ZodNullable<S>>,
  z.ZodTransform<z.output<S> | null, z.output<S> | null | undefined>
>;

/**
 * Turns absent, null and '' into null (WIRE-5). Any other value must satisfy the schema. The type excludes '' for
 * numbers and lists: the wire accepts it, forms do not need it.
 */
export function optional<S extends z.ZodType>(schema: S): Optional<S> {
  return z
    .preprocess((value) => (isBlank(value) ? null : value), schema.nullish())
    .transform((value) => value ?? null) as unknown as Optional<S>;
}

/** As `optional`, with a default in place of null. */
export function optionalOr<S extends z.ZodType>(schema: S, meaning: z.output<S>) {
  return optional(schema).transform((value) => value ?? meaning);
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && visibleText(value) === '';
}
