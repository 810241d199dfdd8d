import { toSnakeKey } from '../../../domain/api/case.ts';
import type { ErrorDetail } from '../../../domain/api/error.ts';
import { formatKroner } from '../../../domain/money.ts';
import { ehfObstacle } from './ehf-not-possible.ts';
import type { AppError, ErrorCode } from '../../errors.ts';
import type { ErrorWords } from './error-words.ts';
import { IMPORT_ERRORS } from './import-errors.ts';
import { PAYMENT_ERRORS } from './payment-errors.ts';
import { RECURRING_ERRORS } from './recurring-errors.ts';
import { REMINDER_ERRORS } from './reminder-errors.ts';

/** The API speaks English; the product's own screens ask for Norwegian with Accept-Language. */
export type Language = 'en' | 'nb';

const TABLE: Readonly<Record<ErrorCode, ErrorWords>> = {
  ...IMPORT_ERRORS,
  ...PAYMENT_ERRORS,
  ...RECURRING_ERRORS,
  ...REMINDER_ERRORS,
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
  foreign_origin: {
    status: 403,
    en: 'The request comes from another site',
    nb: 'Forespørselen kommer fra et annet nettsted',
  },
  not_staff: { status: 403, en: 'Only staff may do this', nb: 'Bare ansatte kan gjøre dette' },
  not_found: { status: 404, en: 'Not found', nb: 'Finnes ikke' },
  changed_meanwhile: {
    status: 409,
    en: 'It was changed meanwhile; read it again and send the version that you read',
    nb: 'Noen har endret dette i mellomtiden',
  },
  registration_closed: {
    status: 404,
    en: 'Registration is closed',
    nb: 'Registrering er stengt',
  },
  too_many_requests: {
    status: 429,
    en: 'Too many attempts; try again later',
    nb: 'For mange forsøk; prøv igjen senere',
  },
  too_many_pdfs: {
    status: 429,
    en: 'Too many PDFs are being made for you; try again in a moment',
    nb: 'Det lages for mange PDF-er for deg akkurat nå; prøv igjen om litt',
  },
  pdf_not_printable: {
    status: 503,
    en: 'The PDF cannot be made just now; we have been told',
    nb: 'PDF-en kan ikke lages akkurat nå. Vi har fått beskjed; prøv igjen om litt.',
  },
  document_out_of_reach: {
    status: 503,
    en: 'The document cannot be fetched just now; try again in a moment',
    nb: 'Dokumentet kan ikke hentes akkurat nå. Prøv igjen om et øyeblikk.',
  },
  unsigned_notification: {
    status: 403,
    en: 'The notification is not signed by a known topic',
    nb: 'Varselet er ikke signert av en kjent avsender',
  },
  profile_incomplete: {
    status: 409,
    en: 'The profile must be completed first',
    nb: 'Profilen må fullføres først',
  },
  logo_unreadable: {
    status: 400,
    en: 'The logo is not a PNG or JPEG that can be read',
    nb: 'Logoen er ikke et PNG- eller JPEG-bilde som kan leses',
  },
  logo_too_many_pixels: {
    status: 400,
    en: 'The logo has too many pixels; at most 16 million',
    nb: 'Logoen har for mange piksler. Gjør bildet mindre; det er plass til 16 millioner.',
  },
  start_number_fixed: {
    status: 409,
    en: 'start_invoice_number is fixed once an invoice has been created',
    nb: 'Startnummeret kan ikke endres etter at en faktura er laget',
  },
  customer_number_taken: {
    status: 409,
    en: (number) => `customer_number ${number} is taken`,
    nb: (number) => `Kundenummer ${number} er i bruk`,
  },
  customer_numbers_used_up: {
    status: 409,
    en: 'Every customer number is taken',
    nb: 'Alle kundenumre er i bruk',
  },
  customer_has_drafts: {
    status: 409,
    en: 'The customer has drafts; delete or register them first',
    nb: 'Kunden har fakturautkast; slett eller registrer dem først',
  },
  customer_is_owed: {
    status: 409,
    en: (kroner) =>
      `The customer has ${Number(kroner).toFixed(2)} kr in credit; place or refund it first`,
    nb: (kroner) =>
      `Kunden har ${formatKroner(Number(kroner))} kr til gode. Bruk pengene på en faktura eller merk dem som tilbakebetalt først.`,
  },
  unknown_customer: {
    status: 400,
    en: (number) => `There is no customer number ${number}`,
    nb: (number) => `Det finnes ingen kunde nummer ${number}`,
  },
  unknown_group: {
    status: 400,
    en: 'group_uuid is not a known group',
    nb: 'Kundegruppen finnes ikke',
  },
  unknown_template: {
    status: 400,
    en: 'template_id is not a known template',
    nb: 'Fakturamalen finnes ikke',
  },
  unknown_template_line: {
    status: 400,
    en: (id) => `The template has no line ${id}`,
    nb: (id) => `Malen har ingen linje ${id}`,
  },
  unknown_unit: {
    status: 400,
    en: (unit) => `There is no unit ${unit} in UN/ECE Recommendation 20`,
    nb: (unit) => `Det finnes ingen enhet ${unit} i UN/ECE Recommendation 20`,
  },
  empty_group: {
    status: 400,
    en: 'Missing customerNumbers: the group has no customers',
    nb: 'Gruppen har ingen kunder',
  },
  recipient_without_email: {
    status: 409,
    en: 'The customer has no e-mail address',
    nb: 'Kunden mangler e-postadresse',
  },
  recipient_without_org_number: {
    status: 409,
    en: 'The customer has no valid organisation number, which EHF needs',
    nb: 'Kunden har ikke et gyldig organisasjonsnummer, og EHF trenger det',
  },
  recipient_without_ehf: {
    status: 409,
    en: 'The customer cannot receive EHF',
    nb: 'Kunden kan ikke motta EHF',
  },
  ehf_not_agreed: {
    status: 409,
    en: 'The company has no active agreement to send EHF',
    nb: 'Bedriften har ingen gyldig utstederavtale for EHF',
  },
  delivery_type_unavailable: {
    status: 409,
    en: (type) => `Delivery by ${type} needs an agreement that does not exist yet`,
    nb: (type) => `Levering med ${type} krever en avtale som ikke finnes ennå`,
  },
  negative_total: {
    status: 409,
    en: 'An invoice with a negative total cannot be registered',
    nb: 'En faktura med negativ sum kan ikke registreres',
  },
  total_too_large: {
    status: 400,
    en: 'The total is too large',
    nb: 'Summen er for stor',
  },
  too_many_lines: {
    status: 400,
    en: (lines) => `The invoices would have ${lines} lines; at most 100000 can be made at once`,
    nb: (lines) => `Fakturaene får ${lines} linjer; det går an å lage høyst 100 000 om gangen`,
  },
  too_much_text: {
    status: 400,
    en: (bytes) =>
      `The lines would have ${bytes} bytes of text; at most 20000000 can be made at once`,
    nb: (bytes) => `Linjene får ${bytes} byte tekst; det går an å lage høyst 20 000 000 om gangen`,
  },
  status_not_possible: {
    status: 409,
    en: (change) => `The invoice cannot go from ${change}`,
    nb: (change) => `Fakturaen kan ikke gå fra ${change}`,
  },
  already_registered: {
    status: 409,
    en: 'The invoice is registered already',
    nb: 'Fakturaen er allerede registrert',
  },
  paid_invoice_stays: {
    status: 409,
    en: 'A paid invoice cannot be deleted; mark it as not paid first',
    nb: 'En betalt faktura kan ikke slettes; merk den som ikke betalt først',
  },
  already_cancelled: {
    status: 409,
    en: 'The invoice is already cancelled by a credit note',
    nb: 'Fakturaen er allerede kreditert',
  },
  not_a_draft: {
    status: 409,
    en: 'Only a draft can be changed',
    nb: 'Bare utkast kan endres, og dette er ikke et utkast lenger',
  },
  status_changed: {
    status: 409,
    en: (status) => `The status has changed to ${status} meanwhile`,
    nb: 'Fakturaen er endret i mellomtiden',
  },
  credit_note_stays: {
    status: 409,
    en: 'A credit note cannot be deleted or paid',
    nb: 'En kreditnota kan ikke slettes eller betales',
  },
  draft_has_no_ehf: {
    status: 409,
    en: 'A draft has no EHF; register the invoice first',
    nb: 'Et utkast har ingen EHF; registrer fakturaen først',
  },
  ehf_not_possible: {
    status: 409,
    en: (obstacle) => `No EHF can be made: ${ehfObstacle(obstacle, 'en')}`,
    nb: (obstacle) => `EHF kan ikke lages: ${ehfObstacle(obstacle, 'nb')}`,
  },
  delivery_not_failed: {
    status: 409,
    en: 'Only a failed delivery can be sent again',
    nb: 'Bare en mislykket utsending kan sendes på nytt',
  },
  delivery_under_way: {
    status: 409,
    en: 'A delivery of the invoice is under way',
    nb: 'Fakturaen er allerede på vei',
  },
  draft_unsent: {
    status: 409,
    en: 'A draft is not sent; register the invoice first',
    nb: 'Et utkast sendes ikke; registrer fakturaen først',
  },
  cancelled_invoice_unsent: {
    status: 409,
    en: 'A cancelled invoice is not sent again',
    nb: 'En kreditert faktura sendes ikke på nytt',
  },
  address_suppressed: {
    status: 409,
    en: 'The address has bounced or complained before and gets no more mail',
    nb: 'Adressen har avvist e-post tidligere og får ikke mer. Rett den hos kunden først.',
  },
  bank_file_not_read: {
    status: 503,
    en: 'The file could not be read just now; try again in a moment',
    nb: 'Filen kunne ikke leses akkurat nå. Prøv igjen om et øyeblikk.',
  },
  unavailable: {
    status: 503,
    en: 'The server is busy, or out of reach of its database; try again in a moment',
    nb: 'Tjenesten er opptatt, eller når ikke databasen sin. Prøv igjen om et øyeblikk.',
  },
};

/** The HTTP status of an error. */
export function statusOf(error: AppError): number {
  return TABLE[error.code].status;
}

/** The details shown to the user: the error's own, or the table's message. */
export function detailOf(error: AppError, language: Language): ErrorDetail[] {
  if (error.detail) return [...error.detail];
  const message = sentenceOf(error, language);
  return [error.field === undefined ? { message } : { message, field: toSnakeKey(error.field) }];
}

/** The table's message for an error, in the reader's language. */
export function sentenceOf(error: AppError, language: Language): string {
  const words = TABLE[error.code][language];
  return typeof words === 'string' ? words : words(error.subject);
}
