import type { CreditBody } from '../../domain/invoice/credit.schema.ts';
import {
  invoiceTotals,
  lineNet,
  sumOf,
  type InvoiceTotals,
  type TreatedLine,
  type TreatedSubtotal,
} from '../../domain/invoice/invoice.totals.ts';
import { kronerToOre, ore, type Ore } from '../../domain/money.ts';
import { treatmentOf, type VatTreatment } from '../../domain/vat-treatment.ts';
import { AppError } from '../errors.ts';
import type { LineRow } from '../invoice/invoice.rows.ts';

/** The sums of earlier credit notes. */
export interface Credited {
  /** By the line's id; a line at its own price counts as a quantity. Øre without VAT. */
  readonly lines: ReadonlyMap<number, { readonly quantity: number; readonly net: Ore }>;
  readonly vat: readonly TreatedSubtotal[];
}

/** A line of a credit note. */
interface NoteLine extends TreatedLine {
  /** The line that it credits; null for a reduction of the price. */
  readonly creditsLineId: number | null;
}

/** The rest of a line, which can still be credited; the net in øre has the sign of the line. */
export interface LeftOfLine {
  readonly id: number;
  readonly quantity: number;
  readonly net: Ore;
}

/** A credit note to make. */
export interface CreditPlan {
  readonly lines: readonly NoteLine[];
  /** With the VAT of each treatment, which may differ by øre from what the lines make (CRE-6). */
  readonly totals: InvoiceTotals & { readonly subtotals: readonly TreatedSubtotal[] };
  /** Whether that VAT is what the lines make. */
  readonly isByLines: boolean;
  /** Whether nothing is left of the invoice after it. */
  readonly isAll: boolean;
  readonly left: InvoiceTotals;
  readonly linesLeft: readonly LeftOfLine[];
}

/** The text of the line that takes back what earlier notes credited as reductions. */
const EARLIER_REDUCTION = 'Prisavslag som er kreditert før';

/**
 * Plans a credit note of an invoice (CRE-2 to CRE-7).
 * @throws AppError unknown_credit_line, quantity_in_pieces, credit_above_left, credit_above_total, nothing_to_credit
 */
export function planCredit(
  invoice: readonly LineRow[],
  credited: Credited,
  wish: Pick<CreditBody, 'lines' | 'reductions'>,
): CreditPlan {
  const linesBefore = invoice.map((line) => leftOf(line, credited));
  const isRest = !wish.lines && !wish.reductions;
  const lines = isRest
    ? linesOfRest(invoice, linesBefore, credited)
    : linesOfWish(invoice, linesBefore, wish);
  const linesAfter = addLines(credited.lines, invoice, lines);
  const byLines = sumsOf(lines);
  const before = sumsOf(invoice).map((own) => lessOf(own, findPart(credited.vat, own)));
  const subtotals = before.flatMap((own) => creditedOf(own, findPart(byLines, own)));
  const left = before.map((own) => lessOf(own, findPart(subtotals, own)));
  const totals = { ...sumOf(subtotals), subtotals };
  const rest = sumOf(left);
  if (totals.gross < 0 || rest.gross < 0) throw new AppError('credit_above_total');
  const isAll = left.every(({ net }) => net === 0);
  if (totals.gross === 0 && !isAll) throw new AppError('nothing_to_credit');
  return {
    lines,
    totals,
    isByLines: byLines.every((part) => findPart(subtotals, part)?.vat === part.vat),
    isAll,
    left: rest,
    linesLeft: invoice.map((line) => leftOf(line, { lines: linesAfter })),
  };
}

/** The rest of a line, which can still be credited. */
export function leftOf(line: LineRow, { lines }: Pick<Credited, 'lines'>): LeftOfLine {
  const { quantity, net } = lines.get(line.id) ?? { quantity: 0, net: ore(0) };
  return {
    id: line.id,
    quantity: thousandths(line.quantity - quantity),
    net: ore(lineNet(line) - net),
  };
}

/** A difference of quantities, without the noise of binary fractions. */
function thousandths(quantity: number): number {
  return Math.round(quantity * 1000) / 1000;
}

function linesOfWish(
  invoice: readonly LineRow[],
  before: readonly LeftOfLine[],
  { lines, reductions }: Pick<CreditBody, 'lines' | 'reductions'>,
): NoteLine[] {
  const ofLines = (lines ?? []).flatMap((wish, index) => {
    const place = invoice.findIndex(({ id }) => id === wish.id);
    const [line, left] = [invoice[place], before[place]];
    if (!line || !left) {
      throw new AppError('unknown_credit_line', { field: `lines[${index}].id`, subject: wish.id });
    }
    return lineOf(line, left, wish, index);
  });
  return [...ofLines, ...(reductions ?? []).map((wish) => reductionOf(invoice, wish))];
}

function lineOf(
  line: LineRow,
  left: LeftOfLine,
  { quantity, netAmount }: NonNullable<CreditBody['lines']>[number],
  index: number,
): NoteLine[] {
  if (quantity === null && netAmount === null) {
    const rest = restOfLine(line, left);
    if (rest.length === 0) throw aboveLeft(`«${line.description}»`);
    return rest;
  }
  if (quantity !== null && line.unit === null && !Number.isInteger(quantity)) {
    throw new AppError('quantity_in_pieces', { field: `lines[${index}].quantity` });
  }
  const made =
    quantity === null
      ? asAmount(line, ore(Math.sign(lineNet(line)) * kronerToOre(netAmount ?? 0)))
      : { ...ofLine(line), quantity };
  const isWithin =
    Math.abs(lineNet(made)) <= Math.abs(left.net) && (quantity ?? 0) <= left.quantity;
  if (!isWithin) throw aboveLeft(`«${line.description}»`);
  return [made];
}

/** A line that credits another one, at its price. */
function ofLine(line: LineRow): NoteLine {
  const { id, ...credited } = line;
  return { ...credited, creditsLineId: id };
}

/** A line that credits an amount of another one. */
function asAmount(line: LineRow, net: Ore): NoteLine {
  return { ...ofLine(line), quantity: 1, unit: null, netUnitAmount: net };
}

function restOfLine(line: LineRow, { quantity, net }: LeftOfLine): NoteLine[] {
  const rest = { ...ofLine(line), quantity };
  if (quantity > 0 && lineNet(rest) === net) return [rest];
  return net === 0 ? [] : [asAmount(line, net)];
}

function reductionOf(
  invoice: readonly LineRow[],
  { description, netAmount, vatTreatment }: NonNullable<CreditBody['reductions']>[number],
): NoteLine {
  const like = invoice.find((line) => meaningOf(line.vatTreatment) === meaningOf(vatTreatment));
  if (!like) throw aboveLeft(treatmentOf(vatTreatment).label);
  return reduction(description, kronerToOre(netAmount), like);
}

/** A rate of 0 alone means either, by whether the seller is registered (VAT-1). */
function meaningOf(treatment: VatTreatment): VatTreatment {
  return treatment === 'NOT_REGISTERED' ? 'EXEMPT' : treatment;
}

function reduction(
  description: string,
  netUnitAmount: Ore,
  { vatRate, vatTreatment }: Pick<LineRow, 'vatRate' | 'vatTreatment'>,
): NoteLine {
  const line = { quantity: 1, unit: null, productNumber: null, description, netUnitAmount };
  return { ...line, vatRate, vatTreatment, creditsLineId: null };
}

/** The rest of each line, and lines that take back earlier reductions. */
function linesOfRest(
  invoice: readonly LineRow[],
  before: readonly LeftOfLine[],
  { vat }: Credited,
): NoteLine[] {
  const lines = before.flatMap((left, index) => {
    const line = invoice[index];
    return line ? restOfLine(line, left) : [];
  });
  const sums = sumsOf(lines);
  const reduced = sumsOf(invoice).flatMap((own) => {
    const net = ore(own.net - (findPart(vat, own)?.net ?? 0) - (findPart(sums, own)?.net ?? 0));
    return net === 0 ? [] : [reduction(EARLIER_REDUCTION, net, own)];
  });
  return [...lines, ...reduced];
}

function sumsOf(lines: readonly TreatedLine[]): TreatedSubtotal[] {
  // Every line has a treatment, and so has every part.
  return invoiceTotals(lines).subtotals as TreatedSubtotal[];
}

type Part = Pick<TreatedSubtotal, 'vatTreatment' | 'vatRate'>;

function findPart(parts: readonly TreatedSubtotal[], wanted: Part): TreatedSubtotal | undefined {
  return parts.find(
    ({ vatTreatment, vatRate }) =>
      vatTreatment === wanted.vatTreatment && vatRate === wanted.vatRate,
  );
}

function addLines(
  credited: Credited['lines'],
  invoice: readonly LineRow[],
  lines: readonly NoteLine[],
): Credited['lines'] {
  const sums = new Map(credited);
  for (const line of lines) {
    const own = invoice.find(({ id }) => id === line.creditsLineId);
    if (!own) continue;
    const { quantity, net } = sums.get(own.id) ?? { quantity: 0, net: 0 };
    const counted = own.netUnitAmount === line.netUnitAmount ? line.quantity : 0;
    sums.set(own.id, {
      quantity: thousandths(quantity + counted),
      net: ore(net + lineNet(line)),
    });
  }
  return sums;
}

function aboveLeft(subject: string): AppError {
  return new AppError('credit_above_left', { subject });
}

/**
 * The part of a note with one treatment. What empties the treatment takes the øre that are left.
 * @throws AppError credit_above_left, which names the treatment
 */
function creditedOf(left: TreatedSubtotal, part: TreatedSubtotal | undefined): TreatedSubtotal[] {
  if (!part) return [];
  if (part.net < Math.min(0, left.net) || part.net > Math.max(0, left.net)) {
    throw aboveLeft(treatmentOf(left.vatTreatment).label);
  }
  if (part.net === left.net) return [{ ...part, vat: left.vat }];
  const sign = Math.sign(part.vat);
  return [{ ...part, vat: ore(sign * Math.min(Math.abs(part.vat), Math.abs(left.vat))) }];
}

function lessOf(own: TreatedSubtotal, part: TreatedSubtotal | undefined): TreatedSubtotal {
  if (!part) return own;
  return { ...own, net: ore(own.net - part.net), vat: ore(own.vat - part.vat) };
}
