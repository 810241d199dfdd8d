import type { NodemailerError } from 'nodemailer';
import { explainStatus } from './enhanced-status.ts';
import { MailError } from './mail-error.ts';

// The commands whose refusal is about this mail. Everything else that goes wrong (connecting,
// TLS, logging in) would hit every mail alike and is put right by the operator, so it is tried
// again: a changed password must not fail ten thousand deliveries for good.
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

// Replies that speak of the session although they answer a command of the mail: bad sequence,
// authentication required or failed.
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);

/** What an error of nodemailer means: whether to try again, and why it failed, in Norwegian. */
export function smtpFailure(error: NodemailerError): MailError {
  const { responseCode, response } = error;
  const aboutTheMail = ABOUT_THE_MAIL.has(error.code ?? '');
  const permanent =
    aboutTheMail &&
    (responseCode === undefined || responseCode >= 500) &&
    !ABOUT_THE_SESSION.has(responseCode ?? 0);
  return new MailError(`${error.code ?? 'Error'} at ${error.command ?? '?'}: ${error.message}`, {
    permanent,
    reason: aboutTheMail ? refusal(error, permanent) : breakdown(error),
    responseCode: responseCode ?? codeOf(response),
    cause: error,
  });
}

function refusal(error: NodemailerError, permanent: boolean): string {
  const codes = codesOf(error.response);
  if (!permanent) return `Mottakerens e-posttjener tok ikke imot e-posten nå${suffix(codes)}.`;
  const meaning = explainStatus(codes.split(' ')[1] ?? '');
  if (meaning !== null) return `${meaning}${suffix(codes)}.`;
  if (error.command === 'RCPT TO') {
    return `E-posttjeneren avviste mottakerens adresse${suffix(codes)}.`;
  }
  if (error.command === 'MAIL FROM') {
    return `E-posttjeneren avviste avsenderens adresse${suffix(codes)}.`;
  }
  return `E-posttjeneren avviste e-posten${suffix(codes)}.`;
}

// What Node calls a certificate that does not hold, and a handshake that fails.
const TLS_FAILURE = /CERT|TLS|SSL|LEAF_SIGNATURE|EPROTO/;

function breakdown(error: NodemailerError): string {
  const codes = codesOf(error.response);
  if (TLS_FAILURE.test(error.originalCode ?? '')) {
    return 'Fikk ikke en sikker forbindelse til e-posttjeneren.';
  }
  switch (error.code) {
    case 'EAUTH':
    case 'ENOAUTH':
    case 'EOAUTH2':
      return `E-posttjeneren godtok ikke innloggingen vår${suffix(codes)}.`;
    case 'ETLS':
    case 'EREQUIRETLS':
      return `Fikk ikke en sikker forbindelse til e-posttjeneren${suffix(codes)}.`;
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
