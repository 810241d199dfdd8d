import { formatKroner } from '../../domain/money.ts';

/** 1250 → '1 250,00 kr', never broken over two lines. */
export function showKroner(kroner: number): string {
  return `${formatKroner(kroner)}\u00A0kr`;
}
