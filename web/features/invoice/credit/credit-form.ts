import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod/mini';

import { creditBody, type CreditBody } from '../../../../domain/invoice/credit.schema.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { formatCounted } from '../../../../domain/invoice/unit-names.ts';
import { differenceKroner, oreToKroner, sumKroner } from '../../../../domain/money.ts';
import {
  treatmentOf,
  treatmentOfRate,
  type VatTreatment,
} from '../../../../domain/vat-treatment.ts';
import { addFault, judgeChosen } from '../../../forms/chosen-lines.ts';
import type { Draft } from '../../../forms/Form.tsx';
import { showKroner } from '../../../lib/number-text.ts';
import { draftLineNet } from '../line-sums.ts';

/** Everything that is left, chosen lines, or a price reduction. */
export type CreditWay = 'ALL' | 'LINES' | 'REDUCTIONS';

type Line = Invoice['lines'][number];
export type CreditableLine = Pick<
  Line,
  | 'id'
  | 'description'
  | 'invoicedQuantity'
  | 'unit'
  | 'netUnitAmount'
  | 'netAmount'
  | 'vatRatePercentage'
  | 'vatTreatment'
  | 'quantityLeft'
  | 'netLeft'
>;

/** How much of a line to credit: one of the two, or neither. */
export interface LineChoice {
  quantity: number | null;
  netAmount: number | null;
}

/** The form has the input of every way, so that the user can change the way and lose nothing. */
export interface CreditDraft {
  way: CreditWay;
  /** In the order of the invoice's lines. */
  lines: LineChoice[];
  reductions: Draft<NonNullable<CreditBody['reductions']>>;
  reason: string;
}

export type CreditForm = UseFormReturn<CreditDraft, unknown, CreditBody>;

export function quantityLeftOf({ quantityLeft, invoicedQuantity }: CreditableLine): number {
  return quantityLeft ?? invoicedQuantity;
}

/** Kroner without VAT; negative of a discount. */
export function netLeftOf({ netLeft, netAmount }: CreditableLine): number {
  return netLeft ?? netAmount;
}

/** Kroner with VAT that no credit note has credited. */
export function leftOf({ grossAmount, creditedAmount = 0 }: Invoice): number {
  return differenceKroner(grossAmount, creditedAmount);
}

/** NaN, of text that is no number, is something that the schema refuses. */
function isNothing(number: number | null): boolean {
  return number === null || number === 0;
}

function isChosen({ quantity, netAmount }: LineChoice): boolean {
  return !isNothing(quantity) || !isNothing(netAmount);
}

/** The net in kroner of a quantity of a line; null for what is no quantity. */
export function netOfQuantity(line: CreditableLine, invoicedQuantity: number): number | null {
  const net = draftLineNet({ ...line, invoicedQuantity });
  return net === null ? null : oreToKroner(net);
}

/**
 * Judges a line's quantity and amount, in words for their fields; undefined for one that does not exceed the rest.
 * Crediting an amount leaves the quantity, so a quantity may be too much for the net that is left.
 */
export function limitOf(line: CreditableLine, { quantity, netAmount }: LineChoice) {
  const quantityLeft = quantityLeftOf(line);
  // The amount of a discount is written as a positive number too.
  const netLeft = Math.abs(netLeftOf(line));
  const net = Math.abs(netOfQuantity(line, quantity ?? 0) ?? 0);
  const kronerLeft = `Bare ${showKroner(netLeft)} er igjen.`;
  const quantityText = `Bare ${formatCounted(quantityLeft, line.unit)} er igjen.`;
  return {
    quantity:
      (quantity ?? 0) > quantityLeft ? quantityText : net > netLeft ? kronerLeft : undefined,
    netAmount: (netAmount ?? 0) > netLeft ? kronerLeft : undefined,
  };
}

/**
 * The request's schema on the form's values: the chosen way alone counts, and faults are at the form's own fields.
 *
 * @param lines of the invoice, with what is left of them
 */
export function creditFormOf(
  lines: readonly CreditableLine[],
): z.ZodMiniType<CreditBody, CreditDraft> {
  return z.pipe(
    z.custom<CreditDraft>(),
    z.transform((draft, context) => {
      if (draft.way === 'LINES' && !draft.lines.some(isChosen)) {
        askForChoice(lines, context);
        return z.NEVER;
      }
      const { body, places } = requestOf(draft, lines);
      const judged = judgeChosen(creditBody, body, places, context);
      if (draft.way === 'LINES') judgeLimits(draft.lines, lines, context);
      return judged ?? z.NEVER;
    }),
  );
}

/** The body of a request, and for each of its lines the place in the form. */
function requestOf(
  { way, lines: choices, reductions, reason }: CreditDraft,
  lines: readonly CreditableLine[],
) {
  if (way === 'ALL') return { body: { reason }, places: [] };
  if (way === 'REDUCTIONS') return { body: { reductions, reason }, places: [] };
  const places = [...choices.keys()].filter((place) => isChosen(choices[place] ?? NOTHING));
  const chosen = places.map((place) => {
    const { quantity, netAmount } = choices[place] ?? NOTHING;
    return { id: lines[place]?.id, ...(isNothing(quantity) ? { netAmount } : { quantity }) };
  });
  return { body: { lines: chosen, reason }, places };
}

const NOTHING: LineChoice = { quantity: null, netAmount: null };

/** Says at the first line that nothing is chosen. */
function askForChoice(lines: readonly CreditableLine[], context: z.core.ParsePayload): void {
  const place = lines.findIndex((line) => netLeftOf(line) !== 0);
  addFault(
    context,
    ['lines', Math.max(0, place), 'quantity'],
    'Skriv et antall eller et beløp på minst én linje.',
  );
}

function judgeLimits(
  choices: readonly LineChoice[],
  lines: readonly CreditableLine[],
  context: z.core.ParsePayload,
): void {
  for (const [place, line] of lines.entries()) {
    const limits = limitOf(line, choices[place] ?? NOTHING);
    for (const [field, message] of Object.entries(limits)) {
      if (message) addFault(context, ['lines', place, field], message);
    }
  }
}

/** The VAT treatments of what is left of an invoice, for a price reduction. While `vat` is off lines have rates alone. */
export function treatmentsLeft(
  lines: readonly CreditableLine[],
  vatRegistered: boolean,
): { value: VatTreatment; label: string }[] {
  const found = new Map<VatTreatment, string>();
  for (const line of lines) {
    if (netLeftOf(line) <= 0) continue;
    const { vatRatePercentage: rate, vatTreatment } = line;
    found.set(
      vatTreatment ?? treatmentOfRate(rate, vatRegistered),
      vatTreatment ? treatmentOf(vatTreatment).label : `${rate} %`,
    );
  }
  return [...found].map(([value, label]) => ({ value, label }));
}

/** The customer's debt or credit once this much is left of an invoice. In kroner. */
interface Consequence {
  readonly kind: 'pays' | 'credit' | 'settled' | 'nothing';
  /** To pay or to the customer's credit; otherwise 0. */
  readonly amount: number;
}

/** @param left kroner with VAT that remain of the invoice */
export function consequenceOf(paidAmount: number, left: number): Consequence {
  const due = sumKroner([left, -paidAmount]);
  if (due > 0) return { kind: 'pays', amount: due };
  if (due < 0) return { kind: 'credit', amount: -due };
  return { kind: left === 0 ? 'nothing' : 'settled', amount: 0 };
}
