import { explainBy, type Explanation } from '../../lib/explain-by.ts';
import { TARGET_LABELS } from './columns.ts';
import type { ImportedField } from './rows.ts';

/** Translations of the contract's English rules, for all fields or for one. */
const RULES: readonly Explanation[] = [
  [/must be a valid email$/, 'E-postadressen er ikke gyldig'],
  [/must be exactly 9 characters$/, 'Organisasjonsnummeret skal ha 9 siffer'],
  [/must be exactly 8 characters$/, 'Telefonnummeret skal ha 8 siffer, uten landkode'],
  [
    /^customer_number must be (?:a |an )?(?:positive )?(?:number|integer|less|greater)/,
    'Kundenummeret må være et helt tall fra 1 til 9 999 999',
  ],
  [/must be at most (\d+) characters$/, 'Teksten er for lang; det er plass til $1 tegn'],
  [/must not contain control characters$/, 'Teksten har tegn som ikke kan skrives ut'],
  [/must be valid Unicode text$/, 'Teksten har ødelagte tegn'],
];

/**
 * Translates a fault of a row to Norwegian; null when the message is Norwegian already.
 *
 * @param message from the API; in English when it is a rule of the contract
 */
export function explain(field: ImportedField, message: string): string | null {
  if (message.endsWith('is a required field')) return `${TARGET_LABELS[field]} mangler`;
  return explainBy(RULES, message);
}
