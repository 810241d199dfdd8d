import { z } from 'zod';

import { optional } from '../optional.ts';

/** The default unit: 'each' of UN/ECE Recommendation 20. */
export const DEFAULT_UNIT = 'EA';

/**
 * The unit of a line in a form; default EA. Only the server checks that the code exists: the list is too long for a
 * browser.
 */
export const unitOfForm = optional(
  z
    .string()
    .regex(/^[0-9A-Z]{2,3}$/, 'must be a code of UN/ECE Recommendation 20')
    .meta({
      description:
        'What is counted, EA unless stated: a code of UN/ECE Recommendation 20, or of 21 with X before it',
    }),
).transform((unit) => unit ?? DEFAULT_UNIT) as unknown as z.ZodOptional<z.ZodString>;
