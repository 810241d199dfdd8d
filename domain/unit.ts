import { z } from 'zod/mini';

import { described } from './api/described.ts';
import { rule } from './api/rules.ts';
import { optional } from './api/validation.ts';

/** The default unit: 'each' of UN/ECE Recommendation 20. */
export const DEFAULT_UNIT = 'EA';

/** The unit of a line or product. Only the server checks that the code exists: the list is too long for a browser. */
export const unit = described(
  z
    .string()
    .check(z.regex(/^[0-9A-Z]{2,3}$/, rule('{0} must be a code of UN/ECE Recommendation 20'))),
  'What is counted, EA unless stated: a code of UN/ECE Recommendation 20, or of 21 with X before it',
);

/** A unit in a form; default EA. */
export const unitOfForm = z.pipe(
  optional(unit),
  z.transform((code) => code ?? DEFAULT_UNIT),
) as unknown as z.ZodMiniOptional<z.ZodMiniString<string>>;
