// Allowed imports, as in ARCHITECTURE.md. Paths are relative to the project's folder and use forward slashes.

const SERVER_PLUMBING = new Set(['platform', 'testing']);
const WEB_PLUMBING = new Set(['app', 'forms', 'landing', 'lib', 'ui']);
const BELOW_FEATURES: ReadonlySet<string | undefined> = new Set(['forms', 'lib', 'ui']);

export interface Place {
  tier: string;
  /** The folder below the tier, such as `invoice` or `http`; undefined for a file directly in the tier. */
  room: string | undefined;
  isConcept: boolean;
  path: string;
}

interface Zone {
  applies: (from: Place) => boolean;
  forbids: (from: Place, to: Place) => boolean;
  message: string;
}

const ZONES: Zone[] = [
  {
    applies: (from) => from.tier === 'domain',
    forbids: (_from, to) => to.tier !== 'domain',
    message: 'domain/ runs in browser and server: it imports nothing of ours but domain/.',
  },
  {
    applies: (from) => from.tier === 'web',
    forbids: (_from, to) => to.tier === 'server',
    message: 'web/ never imports server/: what both need belongs in domain/.',
  },
  {
    applies: (from) => from.tier === 'server',
    forbids: (_from, to) => to.tier === 'web',
    message: 'server/ never imports web/: what both need belongs in domain/.',
  },
  {
    applies: (from) => ['domain', 'server', 'web'].includes(from.tier),
    forbids: (_from, to) => ['e2e', 'operations', 'bench', 'scripts'].includes(to.tier),
    message: 'The product never imports e2e/, operations/, bench/ or scripts/.',
  },
  {
    applies: (from) => from.tier === 'server' && from.room !== 'testing' && !isTest(from),
    forbids: (_from, to) => to.tier === 'server' && to.room === 'testing',
    message: 'server/testing/ is for tests alone.',
  },
  {
    applies: (from) => from.path.startsWith('server/platform/db/migrations/'),
    forbids: (_from, to) => to.path !== 'server/platform/db/migration.ts',
    message:
      'A migration is frozen: it imports nothing of ours but migration.ts, or a later edit would change it.',
  },
  {
    applies: (from) => isKind(from, 'repository') || isKind(from, 'selection'),
    forbids: (from, to) => isKind(to, 'repository') && to.room !== from.room,
    message: "A repository calls no other concept's: the service calls both.",
  },
  {
    applies: (from) => from.tier === 'server' && from.isConcept,
    forbids: (from, to) => isKind(to, 'routes') && to.room !== from.room,
    message: "Another concept's routes are its own affair: call its service.",
  },
  {
    applies: (from) => isKind(from, 'routes') || isKind(from, 'jobs'),
    forbids: (_from, to) => isKind(to, 'repository'),
    message: 'Routes and jobs enter at the service; only it calls the repository.',
  },
  {
    applies: (from) => from.tier === 'server' && !isTest(from),
    forbids: (from, to) => isKind(to, 'selection') && !isKind(from, 'repository'),
    message: 'A selection is a part of a statement: only repositories put it into theirs.',
  },
  {
    applies: (from) => isKind(from, 'repository') || isKind(from, 'selection'),
    forbids: (_from, to) => isKind(to, 'service') || isKind(to, 'routes') || isKind(to, 'jobs'),
    message: 'Nothing flows back up: a repository imports no service, routes or jobs.',
  },
  {
    applies: (from) => isKind(from, 'service'),
    forbids: (_from, to) => isKind(to, 'routes'),
    message: 'Nothing flows back up: a service imports no routes.',
  },
  {
    applies: (from) => from.tier === 'web' && BELOW_FEATURES.has(from.room) && !isTest(from),
    forbids: (_from, to) => to.isConcept && (to.tier === 'web' || to.tier === 'domain'),
    message: 'web/ui/, web/forms/ and web/lib/ know no concept of the domain.',
  },
];

/**
 * The fault of an import, or undefined when it is allowed.
 *
 * @param from the importing file, such as `server/invoice/invoice.service.ts`
 * @param to the imported file
 */
export function forbiddenImport(from: string, to: string): string | undefined {
  const source = placeOf(from);
  const target = placeOf(to);
  return ZONES.find((zone) => zone.applies(source) && zone.forbids(source, target))?.message;
}

/**
 * The fault of importing a package, or undefined when it is allowed.
 *
 * @param from the importing file
 * @param specifier as written, such as `zod/mini` or `node:fs`
 */
export function forbiddenPackage(from: string, specifier: string): string | undefined {
  const source = placeOf(from);
  if (source.tier === 'domain' && !isTest(source) && specifier !== 'zod/mini') {
    return 'domain/ runs in browser and server: its only package is zod/mini.';
  }
  if (source.tier === 'web' && specifier === 'zod') {
    return 'web/ imports zod/mini: whole zod is 15 kB more for every screen.';
  }
  if (source.tier === 'web' && !isTest(source) && specifier.startsWith('node:')) {
    return 'web/ runs in the browser, where there is no Node.';
  }
  return undefined;
}

/**
 * The folder that a file belongs to, such as `server/invoice`, `server/platform/db` or `web/features/invoice/list`; a
 * file directly in a tier is its own.
 */
export function folderOf(path: string): string {
  const parts = path.split('/');
  if (parts[1] === 'features') return parts.slice(0, -1).join('/');
  return parts.slice(0, parts[1] === 'platform' ? 3 : 2).join('/');
}

/** The tier, folder and kind of a file. */
export function placeOf(path: string): Place {
  const parts = path.split('/');
  const tier = parts.length > 1 ? (parts[0] ?? '') : '';
  const [folder, inner] = parts.slice(1, -1);
  const room = folder === 'features' ? inner : folder;
  const plumbing = tier === 'server' ? SERVER_PLUMBING : tier === 'web' ? WEB_PLUMBING : undefined;
  // domain/api/ defines endpoints; the other folders of domain/ are concepts.
  const isConcept =
    room !== undefined && !(tier === 'domain' ? room === 'api' : (plumbing?.has(room) ?? false));
  return { tier, room, isConcept, path };
}

/** Whether a file is of a kind: `repository`, `selection`, `service`, `routes`. */
export function isKind(place: Place, kind: string): boolean {
  return new RegExp(`\\.${kind}\\.tsx?$`).test(place.path);
}

/** Whether a file is a test. */
export function isTest(place: Pick<Place, 'path'>): boolean {
  return /\.test\.tsx?$/.test(place.path);
}
