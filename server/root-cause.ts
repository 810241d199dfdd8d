/**
 * The error behind an error: the last of its causes and, where several addresses of one host were
 * tried in vain, what the first of them said.
 */
export function rootCause(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error) return error.cause instanceof Error ? rootCause(error.cause) : error;
  return new Error(String(error));
}
