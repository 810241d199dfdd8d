import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

import type { VatRate } from '../../../domain/vat-treatment.ts';
import { formatKroner, formatOre, ore } from '../../../domain/money.ts';
import type { DraftLine, FormWithLines, LinePath } from '../invoice/draft-lines.ts';
import { draftLineGross } from '../invoice/line-sums.ts';
import { grossOf, lineDifference, netOf } from './price-with-vat.ts';

type Price = DraftLine['netUnitAmount'];

/** A line's price as typed, with or without VAT. The form stores it without VAT. */
export interface LinePrice {
  readonly isWithVat: boolean;
  readonly shown: Price;
  readonly change: (price: Price) => void;
  /** Keeps a typed price with VAT when the rate changes. */
  readonly changeRate: (rate: VatRate) => void;
  /** Explains how the line's sum differs from the typed price because of rounding; '' when it does not. */
  readonly difference: string;
}

export function useLinePrice(path: LinePath, isWithVat: boolean): LinePrice {
  const { control, setValue, formState } = useFormContext<FormWithLines>();
  const line = useWatch({ control, name: path });
  const [typed, setTyped] = useState<Price>(null);
  const net = line?.netUnitAmount ?? null;
  const rate = line?.vatRatePercentage ?? null;
  // Ignores the typed price when a template, an undo or a proposal has set another one in the form.
  const isTyped = typed !== null && Object.is(netOf(typed, rate), net);
  const gross = isTyped ? typed : grossOf(net, rate);
  const put = (price: Price, nextRate: VatRate | null) => {
    setTyped(price);
    setValue(`${path}.netUnitAmount`, netOf(price, nextRate), {
      shouldValidate: formState.isSubmitted,
      shouldDirty: true,
    });
  };
  return {
    isWithVat,
    shown: isWithVat ? gross : net,
    change: (price) => put(price, rate),
    changeRate: (next) => {
      if (isWithVat && gross !== null) put(gross, next);
    },
    difference: isWithVat && isTyped && line ? differenceOf(line, typed) : '',
  };
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
