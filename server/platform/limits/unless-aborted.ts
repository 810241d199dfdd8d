/**
 * Waits for a promise until the signal is aborted.
 *
 * @throws the promise's error, or the signal's reason when it is aborted before
 */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  const gone = Promise.withResolvers<never>();
  const hangUp = () => gone.reject(signal?.reason);
  signal?.addEventListener('abort', hangUp);
  try {
    return await Promise.race([promise, gone.promise]);
  } finally {
    signal?.removeEventListener('abort', hangUp);
  }
}
