import { explainBy, type Explanation } from './explain-by.ts';

/**
 * Norwegian explanations of the API contract's English messages (WEB-15). They are shown in addition to the
 * English. Numbers are taken from the message, as `$1`.
 */
const EXPLANATIONS: readonly Explanation[] = [
  // Field rules. In the message they follow the field's name (domain/api/validation.ts).
  [/ is a required field$/, 'Dette må fylles ut.'],
  [/ must be a valid email$/, 'Skriv en e-postadresse, for eksempel kari@firma.no.'],
  [/ must be exactly (\d+) characters$/, 'Skriv nøyaktig $1 tegn.'],
  [/ must be at least (\d+) characters$/, 'Skriv minst $1 tegn.'],
  [
    / with its placeholders filled in must be at most (\d+) characters$/,
    'Skriv kortere: med måned og år satt inn er det plass til $1 tegn.',
  ],
  [/ must be at most (\d+) characters$/, 'Skriv høyst $1 tegn.'],
  [/ field must have at least 1 items$/, 'Legg til minst én.'],
  [/ field must have at least (\d+) items$/, 'Legg til minst $1.'],
  [/ field must have less than or equal to (\d+) items$/, 'Det kan være høyst $1.'],
  [/ must be greater than or equal to (-?[\d.]+)$/, 'Skriv et tall som er $1 eller større.'],
  [/ must be less than or equal to (-?[\d.]+)$/, 'Skriv et tall som er $1 eller mindre.'],
  [/ must be (?:a positive number|more than 0)$/, 'Skriv et tall som er større enn 0.'],
  [/ must be an integer$/, 'Skriv et helt tall.'],
  [/ must be a(?: finite)? number$/, 'Skriv et tall.'],
  [/ must be a multiple of ([\d.]+)$/, 'Skriv et tall som går opp i $1.'],
  [/ must have at most two decimals$/, 'Skriv høyst to desimaler.'],
  [/ must have at most three decimals$/, 'Skriv høyst tre desimaler.'],
  [/ (?:is|times the quantity is) too large$/, 'Beløpet er for stort.'],
  [/ must be an amount in kroner$/, 'Skriv et beløp i kroner.'],
  [/ must be a valid date in the form YYYY-MM-DD$/, 'Skriv en dato, for eksempel 31.12.2026.'],
  [/ must be between (\d{4})-\S+ and (\d{4})-\S+$/, 'Skriv en dato fra $1 til $2.'],
  [/ must be one of the following values: /, 'Velg en av mulighetene.'],
  [/ must be from (\S+) to (\S+)$/, 'Skriv et tall fra $1 til $2.'],
  [/ must be a code of UN\/ECE Recommendation 20$/, 'Velg en enhet.'],
  [/ must be a valid UUID$/, 'Dette finnes ikke.'],
  [/ must not contain control characters$/, 'Teksten har usynlige tegn. Skriv den på nytt.'],
  [/ must be valid Unicode text$/, 'Teksten har ødelagte tegn. Skriv den på nytt.'],
  [/ must be a (?:string|boolean)$/, 'Ugyldig verdi.'],
  [/ must be (?:a list|an object|a record)$/, 'Ugyldig verdi.'],
  [/ is invalid$|^Invalid /, 'Dette er ikke gyldig.'],
  [/ must not list the same account twice$/, 'Samme konto står to ganger.'],
  [/ must have only one primary account$/, 'Bare én konto kan være hovedkonto.'],
  [/ must be more than in the step before$/, 'Skriv flere dager enn i trinnet før.'],
  [/ is not allowed: a REMINDER is free of charge$/, 'En betalingspåminnelse er gratis.'],
  [/ is for e-mail only$/, 'En adresse hører bare til levering på e-post.'],
  [
    / must be 1, 2, 3 or 4 weeks, or /,
    'Velg 1, 2, 3 eller 4 uker, eller 1, 2, 3, 6 eller 12 måneder.',
  ],
  [/ must be null for weeks$/, 'Ukedagen følger av første dato.'],
  [/ cannot be combined with last_date$/, 'Velg enten siste dato eller antall ganger.'],
  [/ must not be before the first date$/, 'Velg en dato etter den første.'],
  // Messages that do not start with a field name.
  [/^Bank account number must be in the format /, 'Skriv kontonummeret med elleve siffer.'],
  [/^Missing customerNumbers/, 'Velg minst én kunde …'],
  [/^Missing groupUuid/, '… eller en kundegruppe.'],
  // HTTP status names (section 8), and errors that the server raises before a route handles the call.
  [/^Bad Request$/, 'Noe i det som ble sendt, er feil.'],
  [/^Unauthorized$/, 'Du er logget ut. Logg inn igjen.'],
  [/^Forbidden$/, 'Dette har du ikke lov til.'],
  [/^Not [Ff]ound$/, 'Dette finnes ikke lenger.'],
  [/^Method not allowed$/, 'Handlingen støttes ikke.'],
  [/^Conflict$/, 'Dette går ikke slik det står nå.'],
  [/^Content Too Large$|^The body is too large$/, 'Det er for mye på én gang.'],
  [/^Unsupported Media Type$|^Content-Type must be /, 'Feil filtype.'],
  [/^Too Many Requests$/, 'Det ble for mange forsøk. Vent litt.'],
  [
    /^Internal Server Error$|^Something went wrong on our side$/,
    'Noe gikk galt hos oss. Prøv igjen om litt.',
  ],
  [
    /^(?:Bad Gateway|Service Unavailable|The server is not ready; try again)$/,
    'Faktur svarer ikke akkurat nå. Prøv igjen om litt.',
  ],
  [/^The request took too long$/, 'Det tok for lang tid. Prøv igjen.'],
  [/^The (?:address|headers) (?:is|are) too l(?:ong|arge)$/, 'Adressen er for lang.'],
  [/^The body is n(?:ot valid JSON|ested too deep)$/, 'Noe i det som ble sendt, er feil.'],
];

/** The Norwegian explanation of an English message; null for a message that is already Norwegian. */
export function explain(message: string): string | null {
  return explainBy(EXPLANATIONS, message);
}
