interface Options {
  /** What an operator may have to do about it, in the log. */
  readonly advice: string;
  /** Whether nothing of the kind works until an operator has done it. */
  readonly isUrgent?: boolean;
  readonly cause?: unknown;
}

/**
 * What others did not do for us: a mail server that is away, a refusal. It is expected, so a job that
 * throws it is repeated and the log says why, but it is not reported as a fault of ours.
 */
export class OutsideError extends Error {
  readonly advice: string;
  readonly isUrgent: boolean;

  /** @param message for the log; may hold what the other side said */
  constructor(message: string, { advice, isUrgent = false, cause }: Options) {
    super(message, { cause });
    this.advice = advice;
    this.isUrgent = isUrgent;
  }
}
