/**
 * Index of the next highlighted proposal; -1 is none. The arrow keys wrap around, passing none on the way. Undefined
 * for other keys.
 */
export function movedTo(key: string, active: number, count: number): number | undefined {
  const places = count + 1;
  if (key === 'ArrowDown') return ((active + 2) % places) - 1;
  return key === 'ArrowUp' ? ((active + 1 + count) % places) - 1 : undefined;
}
