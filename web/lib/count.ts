/** 5000 → '5 000'. */
export function showCount(count: number): string {
  return count.toLocaleString('nb-NO');
}

/** '1 kunde', '12 kunder', '10 000 kunder'. */
export function countOf(count: number, one: string, many: string): string {
  return `${showCount(count)} ${count === 1 ? one : many}`;
}
