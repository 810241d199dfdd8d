/**
 * Which of so many proposals a key leads to: the arrows go round, over none of them (-1). Undefined for
 * other keys.
 */
export function movedTo(key: string, active: number, count: number): number | undefined {
  const places = count + 1;
  if (key === 'ArrowDown') return ((active + 2) % places) - 1;
  return key === 'ArrowUp' ? ((active + 1 + count) % places) - 1 : undefined;
}
