/** The original error: the last of the causes. When several addresses of one host failed, the error of the first. */
export function rootCause(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error) return error.cause instanceof Error ? rootCause(error.cause) : error;
  return new Error(String(error));
}
