interface Options {
  /** Advice to the operator, for the log. */
  readonly advice: string;
  /** Whether nothing of this kind works until the operator acts. */
  readonly isUrgent?: boolean;
  readonly cause?: unknown;
}

/**
 * An external service failed: a mail server that is away, a refusal. It is expected, so the job is retried and the
 * log gives the reason, but it is not reported as an internal error.
 */
export class OutsideError extends Error {
  readonly advice: string;
  readonly isUrgent: boolean;

  /** @param message for the log; may contain the other side's words */
  constructor(message: string, { advice, isUrgent = false, cause }: Options) {
    super(message, { cause });
    this.advice = advice;
    this.isUrgent = isUrgent;
  }
}

/** The original error: the last of the causes. When several addresses of one host failed, the error of the first. */
export function rootCause(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error) return error.cause instanceof Error ? rootCause(error.cause) : error;
  return new Error(String(error));
}

/** The code of an error of Node or a library, such as ENOENT; '' when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
