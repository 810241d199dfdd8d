import { fillIn, type Sentence } from '../../../domain/api/rules.ts';
import { readRule } from '../../lib/explanations.ts';
import { TARGET_LABELS } from './columns.ts';
import type { ImportedField } from './rows.ts';

const NUMBER = 'Kundenummeret må være et helt tall fra 1 til 9 999 999';

/** The contract's rules for a cell. The customer number alone is a number. */
const RULES: Partial<Record<Sentence, string>> = {
  '{0} must be a valid email': 'E-postadressen er ikke gyldig',
  '{0} must be a number': NUMBER,
  '{0} must be an integer': NUMBER,
  '{0} must be a positive number': NUMBER,
  '{0} must be less than or equal to {1}': NUMBER,
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
  const norwegian = RULES[sentence];
  return norwegian === undefined ? null : fillIn(norwegian, rule);
}
