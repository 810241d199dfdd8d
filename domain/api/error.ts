import { z } from 'zod';

/** One reason why a call was refused. */
const errorDetail = z.object({
  message: z.string(),
  field: z.string().optional().meta({ description: 'The input to blame, where one is' }),
  line: z
    .number()
    .int()
    .optional()
    .meta({ description: 'Of a file that was sent: the line where the fault is, from 1' }),
});

/** The body of every answer that is not a success. */
export const errorBody = z.object({ detail: z.array(errorDetail) }).meta({ id: 'Error' });

export type ErrorDetail = z.infer<typeof errorDetail>;
export type ErrorBody = z.infer<typeof errorBody>;
