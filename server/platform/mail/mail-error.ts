import type { NodemailerError } from 'nodemailer';

import { OutsideError } from '../log/outside-error.ts';

/** A refusal whose cause is not known yet: the mail or its sender. */
interface Doubt {
  /** Whether it may be a recurring limit: the server accepts mails between two such refusals of one mail. */
  readonly isQuota: boolean;
  /** The reason, in Norwegian, if the sender is the cause. */
  readonly sendersReason: string;
}

/** An address of a mail that the server refused; the reason is in Norwegian, for the screen. */
export interface RefusedRecipient {
  readonly address: string;
  readonly reason: string;
}

/** The refused addresses of one mail. */
export interface RefusedRecipients {
  /** Those that would be refused again. */
  readonly refused: readonly RefusedRecipient[];
  /** Those that are refused for the moment. */
  readonly delayed: readonly RefusedRecipient[];
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
  /** The addresses that the server refused for good, of several that it all refused. */
  refused?: readonly RefusedRecipient[] | undefined;
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
  readonly refused: readonly RefusedRecipient[];

  constructor(message: string, failure: Failure) {
    const { permanent, misconfigured = false, mayHaveArrived = false } = failure;
    const { reason, responseCode, doubt, refused = [], cause } = failure;
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
    this.refused = refused;
  }
}

// nodemailer's codes for a refusal that answers MAIL FROM, RCPT TO or DATA.
const ANSWERS_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);
const LOGIN_FAILED = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);
const NO_TLS = new Set(['ETLS', 'EREQUIRETLS']);

// Replies that concern the session although they answer a command of the mail: bad sequence, authentication required
// or failed.
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);
// RFC 3463: the sender's address, although the class is that of addresses.
const ABOUT_THE_SENDER = /^5\.1\.[78]$/;
// The recipient's address, domain and mailbox, and the size of the mail.
const ABOUT_THE_MAIL = /^5\.(1\.\d+|2\.\d+|3\.4|4\.[14])$/;
// Servers without such a code use these words.
const SENDER_IN_WORDS = /\brelay|not verified|rcpthosts|\bsender\b/i;
const QUOTA_IN_WORDS = /(daily|hourly|sending|rate).*(limit|quota)/i;
const QUOTA = '5.4.5';
const TOO_LARGE = 552;

// Node's codes for an invalid certificate and a failed handshake.
const TLS_FAILURE = /CERT|TLS|SSL|LEAF_SIGNATURE|EPROTO/;

/**
 * The subject of a refusal: one mail for good, our side until an operator fixes it, one of both, or a passing
 * condition.
 */
type About = 'mail' | 'sender' | 'either' | 'moment';

/** Sorts the refusals of some addresses of a mail: those for the moment (4xx) are tried again (DEL-23). */
export function sortRefusals(errors: readonly NodemailerError[]): RefusedRecipients {
  const recipients = errors.map((error) => {
    const about = judgeRefusal(error);
    return { about, address: error.recipient ?? '', reason: refusal(error, about) };
  });
  const { delayed = [], refused = [] } = Object.groupBy(recipients, ({ about }) =>
    about === 'moment' ? 'delayed' : 'refused',
  );
  const named = (some: typeof recipients) =>
    some.map(({ address, reason }) => ({ address, reason }));
  return { refused: named(refused), delayed: named(delayed) };
}

/**
 * The refusal that decides when the server refused every address of a mail: one that may pass, then one that may be the
 * sender's. The others are of their addresses alone.
 */
function decisive(error: NodemailerError): NodemailerError {
  const { rejectedErrors = [] } = error;
  if (rejectedErrors.length < 2) return error;
  const one = (['moment', 'either'] as const)
    .map((about) => rejectedErrors.find((each) => judgeRefusal(each) === about))
    .find((each) => each !== undefined);
  return one ?? error;
}

/**
 * Interprets an error of nodemailer: whether to try again, and the reason in Norwegian. `readToEnd` means that the
 * mail's last byte was handed to the connection.
 */
export function smtpFailure(
  thrown: NodemailerError,
  { readToEnd }: { readonly readToEnd: boolean },
): MailError {
  const error = decisive(thrown);
  const gone = (thrown.rejectedErrors ?? []).filter((each) => judgeRefusal(each) === 'mail');
  const { responseCode, response } = error;
  const answersTheMail = ANSWERS_THE_MAIL.has(error.code ?? '');
  const about = answersTheMail ? judgeRefusal(error) : judgeBreakdown(error);
  return new MailError(`${error.code ?? 'Error'} at ${error.command ?? '?'}: ${error.message}`, {
    permanent: about === 'mail',
    misconfigured: about === 'sender',
    doubt:
      about === 'either'
        ? { isQuota: isOfQuota(response), sendersReason: sendersRefusal(error) }
        : undefined,
    reason: answersTheMail ? refusal(error, about) : breakdown(error),
    responseCode: responseCode ?? codeOf(response),
    mayHaveArrived: readToEnd && responseCode === undefined,
    refused: gone.length > 0 ? sortRefusals(gone).refused : [],
    cause: error,
  });
}

/**
 * A refusal concerns the mail only if the server says so. A refusal of our address, account or rights may hit ten
 * thousand mails alike, and they must not fail for it. DEL-16 has the table.
 */
function judgeRefusal({ responseCode, response, command }: NodemailerError): About {
  // Our own check of the addresses, before the first command.
  if (responseCode === undefined) return 'mail';
  if (responseCode < 500) return 'moment';
  const status = statusOf(response);
  if (status === '5.3.4' || (responseCode === TOO_LARGE && command !== 'RCPT TO')) return 'mail';
  if (command === 'MAIL FROM' || ABOUT_THE_SESSION.has(responseCode)) return 'either';
  if (status !== undefined) {
    if (ABOUT_THE_SENDER.test(status)) return 'either';
    return ABOUT_THE_MAIL.test(status) || RESTRICTED_RECIPIENT.test(status) ? 'mail' : 'either';
  }
  if (SENDER_IN_WORDS.test(response ?? '') || isOfQuota(response)) return 'either';
  return command === 'RCPT TO' ? 'mail' : 'either';
}

function isOfQuota(response: string | undefined): boolean {
  return statusOf(response) === QUOTA || QUOTA_IN_WORDS.test(response ?? '');
}

/** A password, a certificate, a blocked address of ours: an operator must fix it. */
function judgeBreakdown({
  code = '',
  originalCode,
  responseCode,
  response,
}: NodemailerError): About {
  const isOurs =
    LOGIN_FAILED.has(code) ||
    NO_TLS.has(code) ||
    TLS_FAILURE.test(originalCode ?? '') ||
    (responseCode ?? codeOf(response) ?? 0) >= 500;
  return isOurs ? 'sender' : 'moment';
}

function refusal({ command, response, responseCode = 0 }: NodemailerError, about: About): string {
  const codes = codesOf(response);
  if (about === 'moment' && responseCode < 500) {
    return `Mottakerens e-posttjener tok ikke imot e-posten nå${suffix(codes)}.`;
  }
  const status = statusOf(response) ?? (responseCode === TOO_LARGE ? '5.3.4' : '');
  const meaning = explainStatus(status);
  if (meaning !== null) return `${meaning}${suffix(codes)}.`;
  const what = REFUSED[command ?? ''] ?? 'e-posten';
  return `E-posttjeneren avviste ${what}${suffix(codes)}.`;
}

/** The refused part of a mail, by command, for a reply without a known meaning. */
const REFUSED: Readonly<Record<string, string>> = {
  'MAIL FROM': 'avsenderens adresse',
  'RCPT TO': 'mottakerens adresse',
};

/** The same, when the sender is refused. */
function sendersRefusal({ command, response }: NodemailerError): string {
  const codes = suffix(codesOf(response));
  return command === 'MAIL FROM'
    ? `E-posttjeneren avviste avsenderens adresse${codes}.`
    : `E-posttjeneren tar ikke imot e-post fra oss${codes}.`;
}

function breakdown(error: NodemailerError): string {
  const codes = codesOf(error.response);
  if (TLS_FAILURE.test(error.originalCode ?? '')) {
    return 'Fikk ikke en sikker forbindelse til e-posttjeneren.';
  }
  const code = error.code ?? '';
  if (LOGIN_FAILED.has(code)) {
    return `E-posttjeneren godtok ikke innloggingen vår${suffix(codes)}.`;
  }
  if (NO_TLS.has(code)) {
    return `Fikk ikke en sikker forbindelse til e-posttjeneren${suffix(codes)}.`;
  }
  switch (code) {
    case 'ETIMEDOUT':
    case 'EABORT':
      return 'E-posttjeneren svarte ikke i tide.';
    case 'EDNS':
      return 'Fant ikke e-posttjeneren.';
    default:
      return `Mistet forbindelsen til e-posttjeneren${suffix(codes)}.`;
  }
}

/** The codes of a reply, '550 5.1.1': the only part that is safe to show. */
function codesOf(response: string | undefined): string {
  const match = /^(\d{3})[ -](?:([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(response ?? '');
  return match ? [match[1], match[2]].filter(Boolean).join(' ') : '';
}

/** The enhanced code of a reply (RFC 3463). */
function statusOf(response: string | undefined): string | undefined {
  return codesOf(response).split(' ')[1];
}

function codeOf(response: string | undefined): number | undefined {
  const code = Number.parseInt(codesOf(response), 10);
  return Number.isNaN(code) ? undefined : code;
}

function suffix(codes: string): string {
  return codes === '' ? '' : ` (${codes})`;
}

/** Exchange: the recipient accepts mail only from certain senders, or from authenticated ones. */
const RESTRICTED_RECIPIENT = /^5\.7\.1(24|29|3[3-6])$/;

const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^5\.1\.[1236]$/, 'E-postadressen finnes ikke hos mottakerens e-posttjener'],
  [/^5\.1\.10$|^5\.4\.[14]$/, 'E-postadressens domene tar ikke imot e-post'],
  [/^5\.2\.1$/, 'Mottakerens postkasse er stengt'],
  [/^[45]\.2\.2$/, 'Mottakerens postkasse er full'],
  [RESTRICTED_RECIPIENT, 'Mottakeren tar bare imot e-post fra godkjente avsendere'],
  [/^5\.(3\.4|2\.3)$/, 'E-posten er for stor for mottakerens e-posttjener'],
];

/** The meaning of an enhanced status code (RFC 3463) such as 5.1.1, in Norwegian; null when unknown. */
export function explainStatus(status: string): string | null {
  return MEANINGS.find(([pattern]) => pattern.test(status))?.[1] ?? null;
}
