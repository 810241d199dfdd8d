/**
 * The contract's sentences on an input (WIRE-14): {0} is the field, {1} and {2} are values. A sentence is the rule's code too:
 * checks name it, and the browser has it in Norwegian (`web/lib/explanations.ts`).
 */
export type Sentence =
  | '{0} is a required field'
  | '{0} must be a valid email'
  | '{0} must be exactly {1} characters'
  | '{0} must be at least {1} characters'
  | '{0} with its placeholders filled in must be at most {1} characters'
  | '{0} has a placeholder that is not known: {1}'
  | '{0} must be at most {1} characters'
  | '{0} field must have at least 1 items'
  | '{0} field must have at least {1} items'
  | '{0} field must have less than or equal to {1} items'
  | '{0} must be greater than or equal to {1}'
  | '{0} must be less than or equal to {1}'
  | '{0} must be from {1} to {2}'
  | '{0} must be a positive number'
  | '{0} must be more than 0'
  | '{0} must be an integer'
  | '{0} must be a number'
  | '{0} must have at most two decimals'
  | '{0} must have at most three decimals'
  | '{0} is too large'
  | '{0} times the quantity is too large'
  | '{0} must be an amount in kroner'
  | '{0} must be a valid date in the form YYYY-MM-DD'
  | '{0} must be between {1}-01-01 and {2}-12-31'
  | '{0} must be one of the following values: {1}'
  | '{0} must be a code of UN/ECE Recommendation 20'
  | '{0} must be a country code of ISO 3166-1'
  | '{0} is not for a private person'
  | '{0} is not for an auditor, who only reads'
  | '{0} cannot be EHF for a private person'
  | '{0} must be {1} % for {2}'
  | '{0} must be a VAT number that begins with its country'
  | '{0} is for companies that are not VAT-registered'
  | '{0} must be a valid UUID'
  | '{0} must not contain control characters'
  | '{0} must not contain a slash, nor consist of dots'
  | '{0} was shortened by a spreadsheet, and lacks its last digits'
  | '{0} must be valid Unicode text'
  | '{0} must be a string'
  | '{0} must be a boolean'
  | '{0} must be a list'
  | '{0} must be an object'
  | '{0} must be a record'
  | '{0} is invalid'
  | '{0} must not list the same account twice'
  | '{0} must name each line once'
  | '{0} must have only one primary account'
  | 'Bank account number must be in the format "1234.11.12345" or "12341112345"'
  | '{0} must be more than in the step before'
  | '{0} is not allowed: a REMINDER is free of charge'
  | '{0} is not allowed before day {1} (inkassoforskriften § 1-2)'
  | '{0} is not allowed in more than {1} steps (inkassoforskriften § 1-3)'
  | '{0} is for e-mail only'
  | '{0} or response is required, and not both'
  | '{0} must be 1, 2, 3 or 4 weeks, or 1, 2, 3, 6 or 12 months'
  | '{0} must be null for weeks'
  | '{0} cannot be combined with last_date'
  | '{0} must not be before the first date'
  | '{0} must not be before today'
  | '{0} must not be after today'
  | '{0} must be one of the next {1} days'
  | 'Missing customerNumbers'
  | 'Missing groupUuid'
  | 'Content-Type must be {1}';

/** A rule that an input breaks, with the values that its sentence names. */
export type Rule = readonly [sentence: Sentence, ...values: readonly (string | number)[]];

/** For a check of a schema: `z.number().refine(Number.isInteger, rule('{0} must be an integer'))`. */
export function rule(...[message, ...values]: Rule) {
  return { message, params: { values } };
}

/** Puts texts in a sentence, in place of {0}, {1} and so on. */
export function fillIn(sentence: string, texts: readonly (string | number)[]): string {
  return sentence.replaceAll(/\{(\d)\}/g, (_, place: string) => String(texts[Number(place)]));
}

/** The message of a broken rule. It begins with the field's name, or is a sentence of its own. */
export function inEnglish(field: string, ...[sentence, ...values]: Rule): string {
  return fillIn(sentence, [field, ...values]);
}
