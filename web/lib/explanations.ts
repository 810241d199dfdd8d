import { fillIn, type Rule, type Sentence } from '../../domain/api/rules.ts';

/**
 * Norwegian explanations of the contract's sentences (WIRE-14, WEB-15), shown in addition to the English. {1} and {2} are the
 * rule's values.
 */
const RULES: Readonly<Record<Sentence, string>> = {
  '{0} is a required field': 'Dette må fylles ut.',
  '{0} must be a valid email': 'Skriv en e-postadresse, for eksempel kari@firma.no.',
  '{0} must be exactly {1} characters': 'Skriv nøyaktig {1} tegn.',
  '{0} must be at least {1} characters': 'Skriv minst {1} tegn.',
  '{0} with its placeholders filled in must be at most {1} characters':
    'Skriv kortere: med måned og år satt inn er det plass til {1} tegn.',
  '{0} has a placeholder that is not known: {1}':
    '{1} blir ikke fylt ut. Se hva du kan bruke, under meldingen.',
  '{0} must be at most {1} characters': 'Skriv høyst {1} tegn.',
  '{0} field must have at least 1 items': 'Legg til minst én.',
  '{0} field must have at least {1} items': 'Legg til minst {1}.',
  '{0} field must have less than or equal to {1} items': 'Det kan være høyst {1}.',
  '{0} must be greater than or equal to {1}': 'Skriv et tall som er {1} eller større.',
  '{0} must be less than or equal to {1}': 'Skriv et tall som er {1} eller mindre.',
  '{0} must be from {1} to {2}': 'Skriv et tall fra {1} til {2}.',
  '{0} must be a positive number': 'Skriv et tall som er større enn 0.',
  '{0} must be more than 0': 'Skriv et tall som er større enn 0.',
  '{0} must be an integer': 'Skriv et helt tall.',
  '{0} must be a number': 'Skriv et tall.',
  '{0} must have at most two decimals': 'Skriv høyst to desimaler.',
  '{0} must have at most three decimals': 'Skriv høyst tre desimaler.',
  '{0} is too large': 'Beløpet er for stort.',
  '{0} times the quantity is too large': 'Beløpet er for stort.',
  '{0} must be an amount in kroner': 'Skriv et beløp i kroner.',
  '{0} must be a valid date in the form YYYY-MM-DD': 'Skriv en dato, for eksempel 31.12.2026.',
  '{0} must be between {1}-01-01 and {2}-12-31': 'Skriv en dato fra {1} til {2}.',
  '{0} must be one of the following values: {1}': 'Velg en av mulighetene.',
  '{0} must be a code of UN/ECE Recommendation 20': 'Velg en enhet.',
  '{0} must be a country code of ISO 3166-1': 'Velg et land.',
  '{0} is not for a private person': 'En privatperson har ikke organisasjonsnummer.',
  '{0} is not for an auditor, who only reads': 'En revisor kan bare lese.',
  '{0} cannot be EHF for a private person': 'En privatperson kan ikke motta EHF.',
  '{0} must be {1} % for {2}': 'På denne leveringsdatoen er satsen {1} %.',
  '{0} must be a VAT number that begins with its country':
    'Skriv mva-nummeret med landkode, for eksempel SE556677889901.',
  '{0} is for companies that are not VAT-registered':
    'Bedriften er registrert i Merverdiavgiftsregisteret. Velg noe annet.',
  '{0} must be a valid UUID': 'Dette finnes ikke.',
  '{0} must not contain control characters': 'Teksten har usynlige tegn. Skriv den på nytt.',
  '{0} must not contain a slash, nor consist of dots':
    'Et nummer kan ikke ha skråstrek, og ikke bare punktum.',
  '{0} was shortened by a spreadsheet, and lacks its last digits':
    'Regnearket har kortet ned tallet, så de siste sifrene mangler. Skriv hele tallet.',
  '{0} must be valid Unicode text': 'Teksten har ødelagte tegn. Skriv den på nytt.',
  '{0} must be a string': 'Ugyldig verdi.',
  '{0} must be a boolean': 'Ugyldig verdi.',
  '{0} must be a list': 'Ugyldig verdi.',
  '{0} must be an object': 'Ugyldig verdi.',
  '{0} must be a record': 'Ugyldig verdi.',
  '{0} is invalid': 'Dette er ikke gyldig.',
  '{0} must name each line once': 'Velg hver linje én gang.',
  '{0} must not list the same account twice': 'Samme konto står to ganger.',
  '{0} must have only one primary account': 'Bare én konto kan være hovedkonto.',
  'Bank account number must be in the format "1234.11.12345" or "12341112345"':
    'Skriv kontonummeret med elleve siffer.',
  '{0} must be more than in the step before': 'Skriv flere dager enn i trinnet før.',
  '{0} is not allowed: a REMINDER is free of charge': 'En betalingspåminnelse er gratis.',
  '{0} is not allowed before day {1} (inkassoforskriften § 1-2)':
    'Et gebyr kan tidligst kreves på dag {1}.',
  '{0} is not allowed in more than {1} steps (inkassoforskriften § 1-3)':
    'Gebyr kan kreves i høyst {1} trinn.',
  '{0} is for e-mail only': 'En adresse hører bare til levering på e-post.',
  '{0} or response is required, and not both': 'Skriv koden, eller bruk en passnøkkel.',
  '{0} must be 1, 2, 3 or 4 weeks, or 1, 2, 3, 6 or 12 months':
    'Velg 1, 2, 3 eller 4 uker, eller 1, 2, 3, 6 eller 12 måneder.',
  '{0} must be null for weeks': 'Ukedagen følger av første dato.',
  '{0} cannot be combined with last_date': 'Velg enten siste dato eller antall ganger.',
  '{0} must not be before the first date': 'Velg en dato etter den første.',
  '{0} must not be before today': 'Velg i dag eller en senere dag.',
  '{0} must not be after today': 'Velg i dag eller en tidligere dag.',
  '{0} must be one of the next {1} days': 'Velg en dag fra i morgen og høyst {1} dager fram.',
  'Missing customerNumbers': 'Velg minst én kunde …',
  'Missing groupUuid': '… eller en kundegruppe.',
  'Content-Type must be {1}': 'Feil filtype.',
};

/** Status texts (section 8), and the server's answers to a call that no route has seen. */
const OTHERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Bad Request': 'Noe i det som ble sendt, er feil.',
    'The body is not valid JSON': 'Noe i det som ble sendt, er feil.',
    'The body is nested too deep': 'Noe i det som ble sendt, er feil.',
    Unauthorized: 'Du er logget ut. Logg inn igjen.',
    Forbidden: 'Dette har du ikke lov til.',
    'Not Found': 'Dette finnes ikke lenger.',
    'Not found': 'Dette finnes ikke lenger.',
    'Method not allowed': 'Handlingen støttes ikke.',
    Conflict: 'Dette går ikke slik det står nå.',
    'Content Too Large': 'Det er for mye på én gang.',
    'The body is too large': 'Det er for mye på én gang.',
    'Unsupported Media Type': 'Feil filtype.',
    'Too Many Requests': 'Det ble for mange forsøk. Vent litt.',
    'Internal Server Error': 'Noe gikk galt hos oss. Prøv igjen om litt.',
    'Something went wrong on our side': 'Noe gikk galt hos oss. Prøv igjen om litt.',
    'Bad Gateway': 'Faktur svarer ikke akkurat nå. Prøv igjen om litt.',
    'Service Unavailable': 'Faktur svarer ikke akkurat nå. Prøv igjen om litt.',
    'The server is not ready; try again': 'Faktur svarer ikke akkurat nå. Prøv igjen om litt.',
    'The request took too long': 'Det tok for lang tid. Prøv igjen.',
    'The address is too long': 'Adressen er for lang.',
    'The headers are too large': 'Adressen er for lang.',
  }),
);

export const SENTENCES = Object.keys(RULES) as Sentence[];

let patterns: ReadonlyMap<Sentence, RegExp> | undefined;

/** The rule that a message tells of, by the sentence that it fits; undefined for any other message. */
export function readRule(message: string): Rule | undefined {
  patterns ??= new Map(SENTENCES.map((sentence) => [sentence, patternOf(sentence)]));
  for (const [sentence, pattern] of patterns) {
    const match = pattern.exec(message);
    if (match) return [sentence, ...match.slice(1)];
  }
  return undefined;
}

function patternOf(sentence: Sentence): RegExp {
  const literal = sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = literal.replace('\\{0\\}', '\\S+').replaceAll(/\\\{\d\\\}/g, '(.+)');
  return new RegExp(`^${pattern}$`);
}

/** The Norwegian explanation of an English message; null for a message that is already Norwegian. */
export function explain(message: string): string | null {
  const rule = readRule(message);
  return rule ? fillIn(RULES[rule[0]], rule) : (OTHERS.get(message) ?? null);
}
