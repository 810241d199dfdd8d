import { OutsideError } from '../outside-error.ts';

/** A refusal of which nobody knows yet whether it is the mail's own or the sender's. */
interface Doubt {
  /** Whether it is of a limit that comes back: the server accepts mails between two such refusals of one mail. */
  readonly isQuota: boolean;
  /** Why, in Norwegian, where it is the sender's. */
  readonly sendersReason: string;
}

interface Failure {
  /** Whether sending the same mail again would be refused again. */
  permanent: boolean;
  /** Whether it would be so for every mail, until an operator mends what the server objects to. */
  misconfigured?: boolean;
  /** Only of a refusal that may be of us: `refusals.ts` decides it by what else the server accepts. */
  doubt?: Doubt | undefined;
  /** Why, in Norwegian, for the screen: no host names, no addresses but codes. */
  reason: string;
  /** The SMTP reply code, such as 550. */
  responseCode?: number | undefined;
  /** Whether the server may have taken the mail all the same: the line dropped before its answer. */
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
 * The one error of sending mail. `message` is for the log and may hold what the server said;
 * `reason` is for the user.
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
