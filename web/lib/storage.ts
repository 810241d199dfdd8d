/** Undefined when the browser has turned storage off, or it is full: only a preference is lost. */
export function withStorage<T>(
  work: (kept: Storage) => T,
  kind: 'localStorage' | 'sessionStorage' = 'localStorage',
): T | undefined {
  try {
    return work(window[kind]);
  } catch {
    return undefined;
  }
}
