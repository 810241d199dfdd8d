/** Undefined when the browser has turned storage off, or it is full: only a preference is lost. */
export function withStorage<T>(work: (kept: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}
