/**
 * Waits for a promise as long as somebody waits for this.
 *
 * @throws the promise's error, or the signal's reason when it is aborted meanwhile
 */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const hangUp = () => gone.reject(signal?.reason);
  signal?.addEventListener('abort', hangUp);
  try {
    return await Promise.race([promise, gone.promise]);
  } finally {
    signal?.removeEventListener('abort', hangUp);
  }
}
