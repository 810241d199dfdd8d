import { useState } from 'react';

import { formatKroner, formatOre, ore } from '../../../domain/money.ts';
import { grossOf, netOf, type VatRate } from '../../../domain/vat-treatment.ts';
import type { DraftLine, LineFormState, LinePath } from './draft-values.ts';
import { withStorage } from '../../lib/storage.ts';
import { draftLineGross } from '../invoice/line-sums.ts';

const PRICES_WITH_VAT = 'faktur.prices-with-vat';
const WITH_VAT = 'yes';

/** Whether prices are typed with VAT. Remembered per device, not per user. */
export function usePricesWithVat(): readonly [boolean, (isWithVat: boolean) => void] {
  const [isWithVat, setWithVat] = useState(
    () => withStorage((kept) => kept.getItem(PRICES_WITH_VAT) === WITH_VAT) ?? false,
  );
  const choose = (next: boolean) => {
    setWithVat(next);
    withStorage((kept) =>
      next ? kept.setItem(PRICES_WITH_VAT, WITH_VAT) : kept.removeItem(PRICES_WITH_VAT),
    );
  };
  return [isWithVat, choose];
}

/** @param isRegistered whether the seller is in the VAT register; others have only one price */
export function priceLabel(isWithVat: boolean, isRegistered: boolean): string {
  if (isWithVat) return 'Pris inkl. mva.';
  return isRegistered ? 'Pris eks. mva.' : 'Pris';
}

type Price = DraftLine['netUnitAmount'];

/** A price as typed, with or without VAT. The form stores it without VAT. */
export interface TypedPrice {
  readonly isWithVat: boolean;
  readonly shown: Price;
  /** The price with VAT as it was typed; null when it was not. */
  readonly typed: Price;
  readonly change: (price: Price) => void;
  /** Keeps a typed price with VAT when the rate changes. */
  readonly changeRate: (rate: VatRate) => void;
}

interface Typing {
  readonly net: Price;
  readonly rate: VatRate | null;
  readonly isWithVat: boolean;
  readonly onNet: (net: Price) => void;
}

export function useTypedPrice({ net, rate, isWithVat, onNet }: Typing): TypedPrice {
  const [typed, setTyped] = useState<Price>(null);
  // Ignores the typed price when a template, an undo or a proposal has set another one in the form.
  const isTyped = typed !== null && Object.is(netOf(typed, rate), net);
  const gross = isTyped ? typed : grossOf(net, rate);
  const put = (price: Price, nextRate: VatRate | null) => {
    setTyped(price);
    onNet(netOf(price, nextRate));
  };
  return {
    isWithVat,
    shown: isWithVat ? gross : net,
    typed: isWithVat && isTyped ? typed : null,
    change: (price) => (isWithVat ? put(price, rate) : onNet(price)),
    changeRate: (next) => {
      if (isWithVat && gross !== null) put(gross, next);
    },
  };
}

export interface LinePrice extends TypedPrice {
  /** Explains how the line's sum differs from the typed price because of rounding; '' when it does not. */
  readonly difference: string;
}

interface LineToPrice {
  readonly form: LineFormState;
  readonly path: LinePath;
  readonly line: DraftLine;
  readonly isWithVat: boolean;
}

export function useLinePrice({ form, path, line, isWithVat }: LineToPrice): LinePrice {
  const price = useTypedPrice({
    net: line.netUnitAmount ?? null,
    rate: line.vatRatePercentage ?? null,
    isWithVat,
    onNet: (net) => form.change(`${path}.netUnitAmount`, net),
  });
  const { typed } = price;
  return { ...price, difference: typed === null ? '' : differenceOf(line, typed) };
}

function differenceOf(line: DraftLine, typed: number): string {
  const difference = lineDifference(line, typed);
  const sum = draftLineGross(line);
  if (difference === 0 || sum === null) return '';
  const price = formatKroner(typed);
  const quantity = line.invoicedQuantity ?? 1;
  const meant = quantity === 1 ? price : `${quantity.toLocaleString('nb-NO')} × ${price}`;
  const amount =
    Math.abs(difference) < 100
      ? `${Math.abs(difference)} øre`
      : `${formatOre(ore(Math.abs(difference)))} kr`;
  const comparison = difference > 0 ? 'mer' : 'mindre';
  return (
    `Linjen blir ${formatOre(sum)} med mva., ${amount} ${comparison} enn ${meant}: ` +
    `prisen uten mva. er i hele øre, ${formatKroner(line.netUnitAmount ?? 0)}.`
  );
}

/**
 * The difference in øre between a line's sum with VAT and the typed price with VAT times the quantity. It arises
 * because the price without VAT is rounded to whole øre. 0 while either is unknown.
 */
export function lineDifference(line: DraftLine, typed: Price): number {
  const sum = draftLineGross(line);
  const meant = draftLineGross({ ...line, netUnitAmount: typed, vatRatePercentage: 0 });
  return sum === null || meant === null ? 0 : sum - meant;
}
