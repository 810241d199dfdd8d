import { z } from 'zod';

/** What `schema.nullish()` makes of a schema when nothing but null is left of absence. */
type Optional<S extends z.ZodType> = z.ZodPipe<
  z.ZodOptional<z.ZodNullable<S>>,
  z.ZodTransform<z.output<S> | null, z.output<S> | null | undefined>
>;

/**
 * Makes absent, null and '' the same thing: null (decisions § 1). What is there must satisfy the
 * schema. The type does not admit '' to numbers and lists: forms have no need of it, the wire does.
 */
export function optional<S extends z.ZodType>(schema: S): Optional<S> {
  return z
    .preprocess((value) => (isBlank(value) ? null : value), schema.nullish())
    .transform((value) => value ?? null) as unknown as Optional<S>;
}

/** As `optional`, with what absence means. */
export function optionalOr<S extends z.ZodType>(schema: S, meaning: z.output<S>) {
  return optional(schema).transform((value) => value ?? meaning);
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
