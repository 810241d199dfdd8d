import { OutsideError } from '../log/outside-error.ts';

/** A refusal whose cause is not known yet: the mail or its sender. */
interface Doubt {
  /** Whether it may be a recurring limit: the server accepts mails between two such refusals of one mail. */
  readonly isQuota: boolean;
  /** The reason, in Norwegian, if the sender is the cause. */
  readonly sendersReason: string;
}

interface Failure {
  /** Whether the same mail would be refused again. */
  permanent: boolean;
  /** Whether every mail would be refused, until an operator fixes the cause. */
  misconfigured?: boolean;
  /** Set when the sender may be the cause: `refusals.ts` decides by what else the server accepts. */
  doubt?: Doubt | undefined;
  /** The reason in Norwegian, for the screen: codes, but no host names and no addresses. */
  reason: string;
  /** The SMTP reply code, such as 550. */
  responseCode?: number | undefined;
  /** Whether the server may have accepted the mail anyway: the connection was lost before its answer. */
  mayHaveArrived?: boolean | undefined;
  cause?: unknown;
}

const TROUBLE =
  'the mail server did not take a mail, which is tried again; if this goes on, check SMTP_URL';
const DOUBTFUL =
  'the mail server refused a mail, or us: it fails when the server accepts another, and waits when it refuses three in a row';
const MISCONFIGURED =
  'the mail server refuses us and not this mail, which waits until that is mended: check SMTP_URL, MAIL_FROM and the account at the mail server';

/**
 * The only error of sending mail. `message` is for the log and may contain the server's words; `reason` is for the
 * user.
 */
export class MailError extends OutsideError {
  override readonly name = 'MailError';
  readonly permanent: boolean;
  readonly misconfigured: boolean;
  readonly doubt: Doubt | undefined;
  readonly reason: string;
  readonly responseCode: number | undefined;
  readonly mayHaveArrived: boolean;

  constructor(message: string, failure: Failure) {
    const { permanent, misconfigured = false, mayHaveArrived = false } = failure;
    const { reason, responseCode, doubt, cause } = failure;
    super(message, {
      advice: misconfigured ? MISCONFIGURED : doubt ? DOUBTFUL : TROUBLE,
      isUrgent: misconfigured,
      cause,
    });
    this.permanent = permanent;
    this.misconfigured = misconfigured;
    this.doubt = doubt;
    this.reason = reason;
    this.responseCode = responseCode;
    this.mayHaveArrived = mayHaveArrived;
  }
}
