import { unprintableIn } from '../../domain/printable.ts';

/** The distinct characters in a value's strings that documents cannot show. */
export function unprintableOf(content: unknown): string[] {
  return [...new Set(textsOf(content).flatMap(unprintableIn))];
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (content === null || typeof content !== 'object') return [];
  return Object.values(content).flatMap(textsOf);
}
