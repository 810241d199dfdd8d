import { groupThousands } from '../../domain/money.ts';

/** 5000 → '5 000'. Not by Intl: a browser takes 50 ms for its first number, before the list is drawn. */
export function showCount(count: number): string {
  return groupThousands(String(count)).replace('-', '\u2212');
}

/** '1 kunde', '12 kunder', '10 000 kunder'. */
export function countOf(count: number, one: string, many: string): string {
  return `${showCount(count)} ${count === 1 ? one : many}`;
}
