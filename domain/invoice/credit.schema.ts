import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { rule } from '../api/rules.ts';
import { needs, optional, wholeNumber } from '../api/validation.ts';
import { kronerAmount } from '../money.ts';
import { descriptionText } from '../text.ts';
import { vatTreatment } from '../vat-treatment.ts';
import { decimalQuantity, LINES_MAX } from './invoice-line.schema.ts';
import { customerMessage } from '../terms.ts';

/** A positive amount in kroner without VAT. */
function netAmount() {
  return kronerAmount().check(z.refine((kroner) => kroner > 0, rule('{0} must be more than 0')));
}

const creditedLine = described(
  z
    .object({
      id: described(wholeNumber(), 'Of a line of the invoice'),
      quantity: optional(decimalQuantity()),
      netAmount: described(
        optional(netAmount()),
        'Kroner without VAT; of a line with a negative price too a positive number',
      ),
    })
    .check(
      z.refine(
        ({ quantity, netAmount: net }) => (quantity ?? null) === null || (net ?? null) === null,
        {
          ...rule('{0} is invalid'),
          path: ['netAmount'],
          when: needs('quantity', 'netAmount'),
        },
      ),
    ),
  'With neither quantity nor net_amount all that is left of the line',
);

const reduction = z.object({
  description: descriptionText(),
  netAmount: described(netAmount(), 'Kroner without VAT'),
  vatTreatment,
});

/** The wanted credit note; without lines and reductions it credits all that is left (CRE-2). */
export const creditBody = z
  .object({
    lines: optional(z.array(creditedLine).check(z.maxLength(LINES_MAX))),
    reductions: optional(z.array(reduction).check(z.maxLength(LINES_MAX))),
    reason: described(customerMessage, 'Printed, as the message of an invoice is'),
  })
  .check(
    z.refine(
      ({ lines, reductions }) =>
        !Array.isArray(lines ?? reductions) || [...(lines ?? []), ...(reductions ?? [])].length > 0,
      {
        ...rule('{0} field must have at least 1 items'),
        path: ['lines'],
        when: needs('lines', 'reductions'),
      },
    ),
    z.refine(({ lines }) => new Set(lines?.map(({ id }) => id)).size === (lines?.length ?? 0), {
      ...rule('{0} must name each line once'),
      path: ['lines'],
      when: needs('lines'),
    }),
  );
export type CreditBody = z.output<typeof creditBody>;

const sums = z.object({ net: z.number(), vat: z.number(), gross: z.number() });

/** The rest of a line, which can still be credited. */
const leftOfLine = {
  quantityLeft: z.number(),
  netLeft: described(z.number(), 'Kroner without VAT'),
};

/** The sums of a credit note that is not made, and the rest of its invoice. Amounts are in kroner. */
export const creditTrial = described(
  z.object({
    credited: sums,
    left: sums,
    lines: z.array(z.object({ id: z.int(), ...leftOfLine })),
  }),
  { id: 'CreditTrial' },
);
export type CreditTrial = z.infer<typeof creditTrial>;
