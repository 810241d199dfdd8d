import { useFormContext, useWatch } from 'react-hook-form';

import { formatKroner, formatOre, ore } from '../../../domain/money.ts';
import type { DraftLine, FormWithLines, LinePath } from '../invoice/draft-lines.ts';
import { draftLineGross } from '../invoice/line-sums.ts';
import { lineDifference } from './price-with-vat.ts';
import { useTypedPrice, type TypedPrice } from './useTypedPrice.ts';

export interface LinePrice extends TypedPrice {
  /** Explains how the line's sum differs from the typed price because of rounding; '' when it does not. */
  readonly difference: string;
}

export function useLinePrice(path: LinePath, isWithVat: boolean): LinePrice {
  const { control, setValue, formState } = useFormContext<FormWithLines>();
  const line = useWatch({ control, name: path });
  const price = useTypedPrice({
    net: line?.netUnitAmount ?? null,
    rate: line?.vatRatePercentage ?? null,
    isWithVat,
    onNet: (net) =>
      setValue(`${path}.netUnitAmount`, net, {
        shouldValidate: formState.isSubmitted,
        shouldDirty: true,
      }),
  });
  const { typed } = price;
  return { ...price, difference: typed !== null && line ? differenceOf(line, typed) : '' };
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
