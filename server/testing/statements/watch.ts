import { inject } from 'vitest';

import { isException } from './exceptions.ts';
import { isOfTests, placeOfCaller } from './place.ts';
import { Verdicts } from './verdicts.ts';

const verdicts = new Verdicts(inject('companyTables'));
/** Where statements of this file of tests came from that were not known to name their company. */
const places = new Map<string, Set<string>>();

/** Takes down a statement that is about to run. Its caller is still to be seen. */
export function watch(text: string): void {
  if (verdicts.known(text)?.length === 0) return;
  const place = placeOfCaller();
  if (isOfTests(place)) return;
  const known = places.get(text);
  if (known) known.add(place);
  else places.set(text, new Set([place]));
}

/** What the next file of tests runs is its own. */
export function forget(): void {
  places.clear();
}

/** Where statements came from that do not name their company, exceptions too. */
export async function findUnnamed(): Promise<{ text: string; place: string; tables: string }[]> {
  const found = [];
  for (const [text, from] of places) {
    const tables = (await verdicts.of(text)).join(', ');
    if (tables !== '') found.push(...[...from].map((place) => ({ text, place, tables })));
  }
  return found;
}

/** What is wrong with them, in words; undefined when nothing is. */
export async function complaint(): Promise<string | undefined> {
  const wrong = (await findUnnamed()).filter(({ place }) => !isException(place));
  if (wrong.length === 0) return undefined;
  const told = wrong.map(
    ({ text, place, tables }) => `${place}: no company for ${tables}\n${text}`,
  );
  return [
    'Statements that do not name their company (CONTRIBUTING.md, "A statement")',
    ...told,
  ].join('\n\n');
}
