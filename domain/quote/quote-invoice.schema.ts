import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, optional, wholeNumber } from '../api/validation.ts';
import { dateText } from '../date.ts';
import { deliveryType } from '../delivery/delivery.schema.ts';
import { decimalQuantity, LINES_MAX } from '../invoice/invoice-line.schema.ts';
import { dueDays } from '../terms.ts';

const PERCENT_MIN = 0.01;

/** A percent on the wire: 0.01 to 100, with at most two decimals. */
function percent() {
  return described(
    z.number().check(
      z.minimum(PERCENT_MIN),
      z.maximum(100),
      z.refine(
        (number) => Number(number.toFixed(2)) === number,
        rule('{0} must have at most two decimals'),
      ),
    ),
    { multipleOf: 0.01 },
  );
}

const partOfLine = described(
  z
    .object({
      id: described(wholeNumber(), 'Of a line of the quote'),
      quantity: optional(decimalQuantity()),
      percent: described(optional(percent()), 'Of the whole line'),
    })
    .check(
      z.refine(
        ({ quantity, percent: share }) => (quantity ?? null) === null || (share ?? null) === null,
        { ...rule('{0} is invalid'), path: ['percent'], when: needs('quantity', 'percent') },
      ),
    ),
  'With neither quantity nor percent all that is left of the line',
);

/** The wanted invoice of a quote; with neither percent nor lines it is of all that is left (QUO-50). */
export const quoteInvoiceBody = z
  .object({
    percent: described(optional(percent()), 'Of each line, as a whole'),
    lines: optional(z.array(partOfLine).check(z.minLength(1), z.maxLength(LINES_MAX))),
    issueDate: described(optional(dateText()), 'Today unless stated'),
    dueDays: described(optional(dueDays), "The customer's unless stated, else 14"),
    deliveryType: described(optional(deliveryType), "The customer's unless stated, else EMAIL"),
  })
  .check(
    z.refine(({ percent: share, lines }) => (share ?? null) === null || (lines ?? null) === null, {
      ...rule('{0} is invalid'),
      path: ['lines'],
      when: needs('percent', 'lines'),
    }),
    z.refine(({ lines }) => new Set(lines?.map(({ id }) => id)).size === (lines?.length ?? 0), {
      ...rule('{0} must name each line once'),
      path: ['lines'],
      when: needs('lines'),
    }),
  );
export type QuoteInvoiceBody = z.output<typeof quoteInvoiceBody>;
