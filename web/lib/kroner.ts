import { formatKroner, isKroner } from '../../domain/money.ts';
import { showCount } from './count.ts';

/** 1250 → '1 250,00 kr', with non-breaking spaces. */
export function showKroner(kroner: number): string {
  return `${formatKroner(kroner)}\u00A0kr`;
}

/** 1250 → '1 250,00'; whole kroner where the sum is too large for øre. */
export function showSum(kroner: number): string {
  return isKroner(kroner) ? formatKroner(kroner) : showCount(Math.round(kroner));
}
