import { formatKroner } from '../../domain/money.ts';

/** 1250 → '1 250,00 kr', with non-breaking spaces. */
export function showKroner(kroner: number): string {
  return `${formatKroner(kroner)}\u00A0kr`;
}
