import { z } from 'zod/mini';

import { described } from './described.ts';

/** One reason why a call was refused. */
const errorDetail = z.object({
  message: z.string(),
  field: described(z.optional(z.string()), 'The input to blame, where one is'),
  line: described(
    z.optional(z.int()),
    'Of a file that was sent: the line where the fault is, from 1',
  ),
});

/** One reason why the rows sent are refused. */
export const rowFault = described(
  z.object({
    row: described(z.int().check(z.positive()), 'From 1, without a heading'),
    field: described(z.string(), 'The field to blame, as the wire names it'),
    message: z.string(),
    repeats: described(
      z.nullable(z.int()),
      'The earlier row that this one repeats, where that is the fault',
    ),
  }),
  { id: 'RowFault' },
);

/** A reason why a company cannot be closed yet. */
export const obstacle = z.object({
  code: z.enum(['ARCHIVE_MISSING', 'DELIVERIES', 'EXPORT', 'CREDIT']),
  message: z.string(),
});

/** The body of every answer that is not a success. */
export const errorBody = described(
  z.object({
    detail: z.array(errorDetail),
    proofNeeded: described(
      z.optional(z.literal(true)),
      'The same call works once the session is proved by POST /api/users/prove/',
    ),
    faults: described(z.optional(z.array(rowFault)), 'Of rows that were sent: every fault, by row'),
    obstacles: described(
      z.optional(z.array(obstacle)),
      'Of closing a company: everything that hinders it',
    ),
  }),
  { id: 'Error' },
);

export type ErrorDetail = z.infer<typeof errorDetail>;
export type ErrorBody = z.infer<typeof errorBody>;
export type Obstacle = z.infer<typeof obstacle>;
export type RowFault = z.infer<typeof rowFault>;

type Words = string | ((subject: string | number | undefined) => string);

/** The answer to a refusal: its status, and its message in both languages. */
export interface ErrorWords {
  /** 409 when absent: a rule about the state of things forbids the call. */
  readonly status?: number;
  readonly en: Words;
  readonly nb: Words;
}
