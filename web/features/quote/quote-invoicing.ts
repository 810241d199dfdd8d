import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod/mini';

import { kronerToOre, type Ore, ore, oreToKroner, sumKroner } from '../../../domain/money.ts';
import { type PartWish, partOf } from '../../../domain/quote/quote-parts.ts';
import {
  type QuoteInvoiceBody,
  quoteInvoiceBody,
} from '../../../domain/quote/quote-invoice.schema.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import { addFault, judgeChosen } from '../../forms/chosen-lines.ts';
import { showKroner } from '../../lib/number-text.ts';

/** All that is left, a percent of the whole, or some of the lines. */
type InvoicingWay = 'ALL' | 'SHARE' | 'LINES';
type Line = Quote['lines'][number];

/** The form has the input of every way, so that the user can change the way and lose nothing. */
export interface InvoicingDraft {
  way: InvoicingWay;
  percent: number | null;
  /** In the order of the quote's lines. Without percent and quantity it is all that is left. */
  lines: { isTaken: boolean; quantity: number | null; percent: number | null }[];
}
export type InvoicingForm = UseFormReturn<InvoicingDraft, unknown, QuoteInvoiceBody>;

/** Whether something can be taken of a line by itself. */
export function isLeft({ netLeft }: Line): boolean {
  return netLeft !== 0;
}

/**
 * Øre without VAT that a wish takes of a line, or null when that is more than is left. To the øre but for a part that
 * empties a line: the server alone knows the exact shares that were taken before.
 */
function oreOfPart(line: Line, wish: PartWish): Ore | null {
  const { invoicedQuantity: quantity, netUnitAmount, vatRatePercentage: vatRate } = line;
  const left = kronerToOre(line.netLeft);
  if (!wish.percent && !wish.quantity) return left;
  const counted = { quantity, netUnitAmount: kronerToOre(netUnitAmount), vatRate };
  const part = partOf(counted, { share: 0n, net: ore(0) }, wish);
  // Rounded shares may be an øre apart from what is left.
  if (!part || Math.abs(part.net) > Math.abs(left) + 1) return null;
  return left < 0 ? ore(Math.max(part.net, left)) : ore(Math.min(part.net, left));
}

/** Kroner without VAT that a wish takes of a line; null when that is more than is left. */
export function netOfPart(line: Line, wish: PartWish): number | null {
  const net = oreOfPart(line, wish);
  return net === null ? null : oreToKroner(net);
}

/** Kroner without VAT of a whole wish; null while it asks for nothing, or for more than is left. */
export function netOfWish(lines: readonly Line[], draft: InvoicingDraft): number | null {
  const parts = lines.flatMap((line, place) => {
    if (draft.way === 'ALL') return line.netLeft;
    if (draft.way === 'SHARE') return draft.percent ? netOfPart(line, draft) : [];
    const { isTaken = false, ...wish } = draft.lines[place] ?? {};
    return isTaken && isLeft(line) ? netOfPart(line, wish) : [];
  });
  const whole = parts.filter((part) => part !== null);
  return parts.length === 0 || whole.length < parts.length ? null : sumKroner(whole);
}

/** The request's schema on the form's values: the chosen way alone counts, and faults are at the form's own fields. */
export function invoicingForm(
  lines: readonly Line[],
): z.ZodMiniType<QuoteInvoiceBody, InvoicingDraft> {
  return z.pipe(
    z.custom<InvoicingDraft>(),
    z.transform((draft, context) => {
      const { body, places } = requestOf(draft, lines);
      judge(draft, lines, context);
      return judgeChosen(quoteInvoiceBody, body, places, context) ?? z.NEVER;
    }),
  );
}

/** The body of a request, and for each of its lines the place in the form. */
function requestOf({ way, percent, lines: wishes }: InvoicingDraft, lines: readonly Line[]) {
  if (way === 'ALL') return { body: {}, places: [] };
  if (way === 'SHARE') return { body: { percent }, places: [] };
  const places = [...lines.keys()].filter((place) => {
    const line = lines[place];
    return line && isLeft(line) && wishes[place]?.isTaken;
  });
  const chosen = places.map((place) => {
    const { quantity = null, percent: share = null } = wishes[place] ?? {};
    return { id: lines[place]?.id, quantity, percent: share };
  });
  return { body: { lines: chosen }, places };
}

function judge(draft: InvoicingDraft, lines: readonly Line[], context: z.core.ParsePayload): void {
  const { way, percent, lines: wishes } = draft;
  if (way === 'SHARE') {
    if (!percent) addFault(context, ['percent'], 'Skriv hvor mange prosent.');
    else if (netOfWish(lines, draft) === null) addFault(context, ['percent'], TOO_MUCH);
  }
  if (way !== 'LINES') return;
  if (!wishes.some(({ isTaken }, place) => isTaken && lines[place] && isLeft(lines[place]))) {
    addFault(context, ['lines'], 'Velg minst én linje.');
  }
  for (const [place, line] of lines.entries()) {
    const wish = wishes[place];
    if (!wish?.isTaken || netOfPart(line, wish) !== null) continue;
    const field = wish.quantity ? 'quantity' : 'percent';
    addFault(context, ['lines', place, field], `Bare ${showKroner(line.netLeft)} gjenstår.`);
  }
}

const TOO_MUCH = 'Det gjenstår ikke så mye av alle linjene.';
