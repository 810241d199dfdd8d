import { fillIn, type Sentence } from '../../../domain/api/rules.ts';
import { readRule } from '../../lib/explanations.ts';
import { TARGET_LABELS } from './columns.ts';
import type { ImportedField } from './rows.ts';

const NUMBER = 'Kundenummeret må være et helt tall fra 1 til 9 999 999';

const DAYS = 'Skriv antall dager, fra 1 til 36 500';

/** The contract's rules for a cell. A number is the customer number, or the days until an invoice is due. */
const RULES: Partial<Record<Sentence, string>> = {
  '{0} must be a valid email': 'E-postadressen er ikke gyldig',
  '{0} must be a number': NUMBER,
  '{0} must be an integer': NUMBER,
  '{0} must be a positive number': NUMBER,
  '{0} must be less than or equal to {1}': NUMBER,
  '{0} must be a country code of ISO 3166-1':
    'Landet er ikke kjent. Skriv for eksempel Sverige eller SE',
  '{0} is not for a private person': 'En privatperson har ikke organisasjonsnummer',
  '{0} cannot be EHF for a private person': 'En privatperson kan ikke motta EHF',
  '{0} must be one of the following values: {1}': 'Skriv Ingen, E-post eller EHF',
  '{0} must be a boolean': 'Skriv ja eller nei',
  '{0} field must have less than or equal to {1} items': 'Det er plass til {1} adresser',
  '{0} must be at most {1} characters': 'Teksten er for lang; det er plass til {1} tegn',
  '{0} must not contain control characters': 'Teksten har tegn som ikke kan skrives ut',
  '{0} must be valid Unicode text': 'Teksten har ødelagte tegn',
};

/**
 * Translates a fault of a row to Norwegian; null when the message is Norwegian already.
 *
 * @param message from the API; in English when it is a rule of the contract
 */
export function explain(field: ImportedField, message: string): string | null {
  const rule = readRule(message);
  if (!rule) return null;
  const [sentence] = rule;
  if (sentence === '{0} is a required field') return `${TARGET_LABELS[field]} mangler`;
  if (sentence === '{0} must be exactly {1} characters') {
    return field === 'orgNumber'
      ? 'Organisasjonsnummeret skal ha 9 siffer'
      : 'Telefonnummeret skal ha 8 siffer, uten landkode';
  }
  const rules = RULES[sentence];
  const norwegian = rules === NUMBER && field === 'dueDays' ? DAYS : rules;
  return norwegian === undefined ? null : fillIn(norwegian, rule);
}
