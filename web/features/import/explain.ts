import { fillIn, type Sentence } from '../../../domain/api/rules.ts';
import { readRule } from '../../lib/explanations.ts';

const RULES: Partial<Record<Sentence, string>> = {
  '{0} must be a boolean': 'Skriv ja eller nei',
  '{0} must be at most {1} characters': 'Teksten er for lang; det er plass til {1} tegn',
  '{0} must not contain control characters': 'Teksten har tegn som ikke kan skrives ut',
  '{0} must be valid Unicode text': 'Teksten har ødelagte tegn',
};

/**
 * Translates a fault of a row to Norwegian; null when the message is Norwegian already, or has no translation.
 *
 * @param message from the API; in English when it is a rule of the contract
 * @param translate the Norwegian of a rule that concerns records of the kind
 */
export function explainRule(
  message: string,
  label: string | undefined,
  translate: (sentence: Sentence) => string | undefined,
): string | null {
  const rule = readRule(message);
  if (!rule) return null;
  const [sentence] = rule;
  const isMissing = sentence === '{0} is a required field';
  const norwegian = isMissing ? `${label} mangler` : (translate(sentence) ?? RULES[sentence]);
  return norwegian === undefined ? null : fillIn(norwegian, rule);
}
