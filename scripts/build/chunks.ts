import path from 'node:path';
import type { Rolldown } from 'vite';

type ChunkingContext = Parameters<Exclude<Rolldown.CodeSplittingGroup['name'], string>>[1];

const WEB = path.join(import.meta.dirname, '..', '..', 'web');
const LIBRARIES =
  /\/node_modules\/(@tanstack|react|react-dom|react-hook-form|react-router|scheduler|zod)\//;
const SIGNED_IN =
  /\/(domain|web)\/(customer|customer-group|delivery|invoice|invoice-template|profile)\//;

/**
 * How the app is cut into files. A screen waits for each file that it needs, so what goes together is
 * in one: the libraries, which outlive our changes; what every screen loads; and what the signed-in
 * screens share. What is left is each screen's own.
 */
export function chunks(): Rolldown.CodeSplittingGroup[] {
  let start: ReadonlySet<string> | undefined;
  return [
    // web/boot.ts and its own, which must not wait for the rest.
    { name: 'boot', tags: ['$initial'] },
    { name: 'libraries', test: LIBRARIES },
    {
      debugName: 'start',
      name: (id, context) => {
        start ??= importedBy('main.tsx', context);
        return start.has(id) ? 'start' : null;
      },
    },
    // With all that these import and nothing above has taken, such as Ark's number field.
    { name: 'signed-in', test: SIGNED_IN, minShareCount: 2 },
  ];
}

/** All modules that one of web/ imports, and those that they import; not what is fetched later. */
function importedBy(module: string, context: ChunkingContext): ReadonlySet<string> {
  const found = new Set<string>();
  const follow = (id: string) => {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported)) continue;
      found.add(imported);
      follow(imported);
    }
  };
  follow(path.join(WEB, module));
  return found;
}
