import { z } from 'zod';

import { optional } from '../optional.ts';

/** What is counted unless a line says otherwise: 'each' of UN/ECE Recommendation 20. */
export const DEFAULT_UNIT = 'EA';

/**
 * A line's unit as filled in, EA unless stated. Only the server knows which codes there are: the list is too
 * long for a browser.
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
