import { toSnakeKey } from '../domain/api/case.ts';
import type { ErrorDetail, ErrorWords, Obstacle, RowFault } from '../domain/api/error.ts';
import { MEMBER_ERRORS } from '../domain/member/member.errors.ts';
import { TOKEN_ERRORS } from '../domain/token/token.errors.ts';
import { WEBHOOK_ERRORS } from '../domain/integration/webhook.errors.ts';
import { CLOSING_ERRORS } from '../domain/closing/closing.errors.ts';
import { COMPANY_ERRORS } from '../domain/profile/company.errors.ts';
import { CUSTOMER_ERRORS } from '../domain/customer/customer.errors.ts';
import { DELIVERY_ERRORS } from '../domain/delivery/delivery.errors.ts';
import { DOCUMENT_ERRORS } from '../domain/document/document.errors.ts';
import { EINVOICE_ERRORS } from '../domain/einvoice/einvoice.errors.ts';
import { EXPORT_ERRORS } from '../domain/export/export.errors.ts';
import { INVOICE_LINK_ERRORS } from '../domain/portal/invoice-link.errors.ts';
import { INVOICE_ERRORS } from '../domain/invoice/invoice.errors.ts';
import { OVERVIEW_ERRORS } from '../domain/overview/overview.errors.ts';
import { PAYMENT_ERRORS } from '../domain/payment/payment.errors.ts';
import { PRODUCT_ERRORS } from '../domain/product/product.errors.ts';
import { QUOTE_ERRORS } from '../domain/quote/quote.errors.ts';
import { RECURRING_ERRORS } from '../domain/recurring/recurring.errors.ts';
import { REMINDER_ERRORS } from '../domain/reminder/reminder.errors.ts';

/** Why a call is refused. Each concept has the refusals of its own; these belong to every call. */
const WORDS = {
  ...MEMBER_ERRORS,
  ...TOKEN_ERRORS,
  ...WEBHOOK_ERRORS,
  ...COMPANY_ERRORS,
  ...CUSTOMER_ERRORS,
  ...PRODUCT_ERRORS,
  ...INVOICE_ERRORS,
  ...PAYMENT_ERRORS,
  ...INVOICE_LINK_ERRORS,
  ...DOCUMENT_ERRORS,
  ...DELIVERY_ERRORS,
  ...EINVOICE_ERRORS,
  ...REMINDER_ERRORS,
  ...RECURRING_ERRORS,
  ...QUOTE_ERRORS,
  ...EXPORT_ERRORS,
  ...OVERVIEW_ERRORS,
  ...CLOSING_ERRORS,
  validation_failed: {
    status: 400,
    en: 'The input is not valid',
    nb: 'Opplysningene er ikke gyldige',
  },
  not_logged_in: { status: 401, en: 'You are not logged in', nb: 'Du er ikke logget inn' },
  wrong_code: {
    status: 400,
    en: 'The code or link is wrong, used or expired',
    nb: 'Koden eller lenken er feil, brukt eller utløpt',
  },
  passkey_refused: {
    status: 400,
    en: 'The passkey was not accepted',
    nb: 'Passnøkkelen ble ikke godtatt. Prøv igjen, eller bruk kode på e-post.',
  },
  too_many_passkeys: {
    en: 'The account has ten passkeys already; remove one first',
    nb: 'Du har ti passnøkler. Fjern en først.',
  },
  known_passkey: {
    en: 'This passkey is known already',
    nb: 'Denne passnøkkelen er lagt til fra før',
  },
  no_passkeys: {
    en: 'The account has no passkeys; use a mailed code',
    nb: 'Du har ingen passnøkkel. Bruk kode på e-post.',
  },
  foreign_origin: {
    status: 403,
    en: 'The request comes from another site',
    nb: 'Forespørselen kommer fra et annet nettsted',
  },
  session_needed: {
    status: 403,
    en: 'Only a person who is logged in may do this, not an API token',
    nb: 'Dette kan du bare gjøre når du er logget inn, ikke med en API-nøkkel',
  },
  address_unconfirmed: {
    status: 403,
    en: 'The address of this link is not confirmed in this browser',
    nb: 'Bekreft e-postadressen din med en kode først',
  },
  proof_needed: {
    status: 403,
    en: 'Prove that it is you first: POST /api/users/prove/',
    nb: 'Bekreft at det er deg først',
  },
  not_staff: { status: 403, en: 'Only staff may do this', nb: 'Bare ansatte kan gjøre dette' },
  not_found: { status: 404, en: 'Not found', nb: 'Finnes ikke' },
  changed_meanwhile: {
    en: 'It was changed meanwhile; read it again and send the version that you read',
    nb: 'Noen har endret dette i mellomtiden',
  },
  registration_closed: {
    status: 404,
    en: 'Registration is closed',
    nb: 'Registrering er stengt',
  },
  idempotency_key_used: {
    en: 'This Idempotency-Key was used for another call; use a new one',
    nb: 'Forrige forsøk ble lagret, men svaret kom ikke fram. Se etter før du lagrer på nytt.',
  },
  idempotency_key_under_way: {
    en: 'The first call with this Idempotency-Key is under way; try again in a moment',
    nb: 'Lagringen pågår. Prøv igjen om et øyeblikk.',
  },
  idempotency_key_unanswered: {
    en: 'What this Idempotency-Key asked for may have been done; look, and use a new key',
    nb: 'Dette kan være lagret alt. Last siden på nytt og se etter før du prøver igjen.',
  },
  too_many_requests: {
    status: 429,
    en: 'Too many attempts; try again later',
    nb: 'For mange forsøk; prøv igjen senere',
  },
  body_too_large: { status: 413, en: 'The body is too large', nb: 'Filen er for stor' },
  unsigned_notification: {
    status: 403,
    en: 'The notification is not signed by a known topic',
    nb: 'Varselet er ikke signert av en kjent avsender',
  },
  unavailable: {
    status: 503,
    en: 'The server is busy, or out of reach of its database; try again in a moment',
    nb: 'Tjenesten er opptatt, eller når ikke databasen sin. Prøv igjen om et øyeblikk.',
  },
} satisfies Record<string, ErrorWords>;

/** Why a call is refused. A code is stored where a job or an assignment waits for its reason: it never changes. */
export type ErrorCode = keyof typeof WORDS;

/** The API speaks English; the product's own screens ask for Norwegian with Accept-Language. */
export type Language = 'en' | 'nb';

interface Options {
  /** The faulty input field, camelCase. */
  readonly field?: string;
  /** The number or name that the table's message contains. */
  readonly subject?: string | number;
  /** Complete details, for validation. */
  readonly detail?: readonly ErrorDetail[];
  /** All faults of the rows sent. */
  readonly faults?: readonly RowFault[];
  /** Everything that hinders closing a company. */
  readonly obstacles?: readonly Obstacle[];
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** A refusal that the user sees. Any other error is internal: 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly subject: string | number | undefined;
  readonly detail: readonly ErrorDetail[] | undefined;
  readonly faults: readonly RowFault[] | undefined;
  readonly obstacles: readonly Obstacle[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, options: Options = {}) {
    super(code, { cause: options.cause });
    this.code = code;
    this.field = options.field;
    this.subject = options.subject;
    this.detail = options.detail;
    this.faults = options.faults;
    this.obstacles = options.obstacles;
    this.retryAfter = options.retryAfter;
  }
}

/** The saved data is based on a version that has been overwritten since. */
export function changedMeanwhile(): AppError {
  return new AppError('changed_meanwhile', { field: 'version' });
}

/** The HTTP status of an error. */
export function statusOf(error: AppError): number {
  const { status = 409 }: ErrorWords = WORDS[error.code];
  return status;
}

/** The details shown to the user: the error's own, or the table's message. */
export function detailOf(error: AppError, language: Language): ErrorDetail[] {
  if (error.detail) return [...error.detail];
  const message = sentenceOf(error, language);
  return [error.field === undefined ? { message } : { message, field: toSnakeKey(error.field) }];
}

/** The table's message for an error, in the reader's language. */
export function sentenceOf(error: AppError, language: Language): string {
  const words: ErrorWords[Language] = WORDS[error.code][language];
  return typeof words === 'string' ? words : words(error.subject);
}
