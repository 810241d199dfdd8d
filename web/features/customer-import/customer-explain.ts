import type { Sentence } from '../../../domain/api/rules.ts';
import { explainRule } from '../import/explain.ts';
import { CUSTOMER_COLUMNS } from './customer-columns.ts';

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
  '{0} field must have less than or equal to {1} items': 'Det er plass til {1} adresser',
};

export function explain(field: string, message: string): string | null {
  return explainRule(message, CUSTOMER_COLUMNS.labels[field], (sentence) => {
    if (sentence === '{0} must be exactly {1} characters') {
      return field === 'orgNumber'
        ? 'Organisasjonsnummeret skal ha 9 siffer'
        : 'Telefonnummeret skal ha 8 siffer, uten landkode';
    }
    const rule = RULES[sentence];
    return rule === NUMBER && field === 'dueDays' ? DAYS : rule;
  });
}
