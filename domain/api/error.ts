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

/** One reason why the rows sent are refused. */
export const rowFault = z
  .object({
    row: z.number().int().positive().meta({ description: 'From 1, without a heading' }),
    field: z.string().meta({ description: 'The field to blame, as the wire names it' }),
    message: z.string(),
    repeats: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The earlier row that this one repeats, where that is the fault' }),
  })
  .meta({ id: 'RowFault' });

/** The body of every answer that is not a success. */
export const errorBody = z
  .object({
    detail: z.array(errorDetail),
    faults: z
      .array(rowFault)
      .optional()
      .meta({ description: 'Of rows that were sent: every fault, by row' }),
  })
  .meta({ id: 'Error' });

export type ErrorDetail = z.infer<typeof errorDetail>;
export type ErrorBody = z.infer<typeof errorBody>;
export type RowFault = z.infer<typeof rowFault>;

type Words = string | ((subject: string | number | undefined) => string);

/** The answer to a refusal: its status, and its message in both languages. */
export interface ErrorWords {
  /** 409 when absent: a rule about the state of things forbids the call. */
  readonly status?: number;
  readonly en: Words;
  readonly nb: Words;
}
