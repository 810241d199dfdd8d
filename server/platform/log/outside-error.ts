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
