/** What is dear to make and may not be needed: made the first time that it is, and kept. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
