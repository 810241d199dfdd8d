import type { NodemailerError } from 'nodemailer';
import { explainStatus } from './enhanced-status.ts';
import { MailError } from './mail-error.ts';

// What nodemailer calls a refusal that answers MAIL FROM, RCPT TO or DATA.
const ANSWERS_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);
const LOGIN_FAILED = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);
const NO_TLS = new Set(['ETLS', 'EREQUIRETLS']);

// Replies that speak of the session although they answer a command of the mail: bad sequence,
// authentication required or failed.
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);
// RFC 3463: the sender's address, the limits of the account, and what is not permitted.
const ABOUT_THE_SENDER = /^5\.(1\.[78]|4\.5|7\.\d+)$/;
// The recipient's address, domain and mailbox, and the size of the mail.
const ABOUT_THE_MAIL = /^5\.(1\.\d+|2\.\d+|3\.4|4\.[14])$/;
// Servers that give no such code say it in words.
const SENDER_IN_WORDS =
  /\brelay|not verified|rcpthosts|(daily|hourly|sending|rate).*(limit|quota)|\bsender\b/i;
const TOO_LARGE = 552;

// What Node calls a certificate that does not hold, and a handshake that fails.
const TLS_FAILURE = /CERT|TLS|SSL|LEAF_SIGNATURE|EPROTO/;

/** Whom a refusal is about: one mail for good, us until an operator mends it, or the moment. */
type About = 'mail' | 'sender' | 'moment';

/**
 * What an error of nodemailer means: whether to try again, and why it failed, in Norwegian.
 * `readToEnd` says that the mail's last byte was handed to the connection.
 */
export function smtpFailure(
  error: NodemailerError,
  { readToEnd }: { readonly readToEnd: boolean },
): MailError {
  const { responseCode, response } = error;
  const answersTheMail = ANSWERS_THE_MAIL.has(error.code ?? '');
  const about = answersTheMail ? judgeRefusal(error) : judgeBreakdown(error);
  return new MailError(`${error.code ?? 'Error'} at ${error.command ?? '?'}: ${error.message}`, {
    permanent: about === 'mail',
    misconfigured: about === 'sender',
    reason: answersTheMail ? refusal(error, about) : breakdown(error),
    responseCode: responseCode ?? codeOf(response),
    mayHaveArrived: readToEnd && responseCode === undefined,
    cause: error,
  });
}

/**
 * A refusal concerns the mail only where the server says so: what it says of our address, our
 * account or our rights it would say of ten thousand mails alike, and they must not fail for it.
 */
function judgeRefusal({ responseCode, response, command }: NodemailerError): About {
  // Our own check of the addresses, before a word was said.
  if (responseCode === undefined) return 'mail';
  if (responseCode < 500) return 'moment';
  const status = codesOf(response).split(' ')[1];
  if (status === '5.3.4' || (responseCode === TOO_LARGE && command !== 'RCPT TO')) return 'mail';
  if (command === 'MAIL FROM' || ABOUT_THE_SESSION.has(responseCode)) return 'sender';
  if (status !== undefined) {
    if (ABOUT_THE_SENDER.test(status)) return 'sender';
    return ABOUT_THE_MAIL.test(status) ? 'mail' : 'moment';
  }
  if (SENDER_IN_WORDS.test(response ?? '')) return 'sender';
  return command === 'RCPT TO' ? 'mail' : 'moment';
}

/** A password, a certificate, an address of ours that the server blocks: for an operator to mend. */
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
  if (about === 'sender') {
    return command === 'MAIL FROM'
      ? `E-posttjeneren avviste avsenderens adresse${suffix(codes)}.`
      : `E-posttjeneren tar ikke imot e-post fra oss${suffix(codes)}.`;
  }
  if (about === 'moment' && responseCode < 500) {
    return `Mottakerens e-posttjener tok ikke imot e-posten nå${suffix(codes)}.`;
  }
  const status = codes.split(' ')[1] ?? (responseCode === TOO_LARGE ? '5.3.4' : '');
  const meaning = explainStatus(status);
  if (meaning !== null) return `${meaning}${suffix(codes)}.`;
  const what = command === 'RCPT TO' ? 'mottakerens adresse' : 'e-posten';
  return `E-posttjeneren avviste ${what}${suffix(codes)}.`;
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

/** The codes of a reply, '550 5.1.1': all of it that is safe to show. */
function codesOf(response: string | undefined): string {
  const match = /^(\d{3})[ -](?:([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(response ?? '');
  return match ? [match[1], match[2]].filter(Boolean).join(' ') : '';
}

function codeOf(response: string | undefined): number | undefined {
  const code = Number.parseInt(codesOf(response), 10);
  return Number.isNaN(code) ? undefined : code;
}

function suffix(codes: string): string {
  return codes === '' ? '' : ` (${codes})`;
}
