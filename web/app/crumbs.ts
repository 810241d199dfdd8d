import { FEATURES, type Feature } from '../../domain/api/endpoint.ts';

interface Crumb {
  readonly label: string;
  readonly path: string;
  /** Whether the path has a screen, so that the crumb can be a link. */
  readonly isScreen: boolean;
}

/** Labels of path segments (WEB-3). */
const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    overview: 'Oversikt',
    invoices: 'Faktura',
    create: 'Ny',
    profile: 'Profil',
    customers: 'Kundeliste',
    import: 'Importer',
    groups: 'Grupper',
    templates: 'Mal',
    edit: 'Endre',
    privacy: 'Personvern',
    auth: 'Konto',
    login: 'Logg inn',
    'magic-link': 'Kode',
    signup: 'Registrer deg',
    emails: 'E-post',
    unsubscribe: 'Avregistrer',
  }),
);

/** Labels of path segments that exist only when a feature is on. */
const LABELS_OF_FEATURES: Readonly<Partial<Record<Feature, ReadonlyMap<string, string>>>> = {
  payments: new Map([
    ['payments', 'Innbetalinger'],
    ['files', 'Fil'],
  ]),
  recurring: new Map([['recurring', 'Fast oppdrag']]),
  reminders: new Map([['reminders', 'Forslag til purringer']]),
};

const WITHOUT_SCREEN = new Set(['/auth/', '/emails/', '/payments/files/']);
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/**
 * '/customers/groups/create/' → Kundeliste, Grupper, Ny. The landing page has no crumbs.
 *
 * @param features the features that are on; all features until the session is known
 */
export function crumbsOf(
  pathname: string,
  features: readonly Feature[] = FEATURES,
): readonly Crumb[] {
  const labelOf = (segment: string) =>
    LABELS.get(segment) ??
    features.map((feature) => LABELS_OF_FEATURES[feature]?.get(segment)).find(Boolean) ??
    readable(segment);
  const segments = pathname.split('/').filter(Boolean);
  return segments.flatMap((segment, index) => {
    const path = `/${segments.slice(0, index + 1).join('/')}/`;
    const isLast = index === segments.length - 1;
    // A uuid is not readable, and a group has no screen at its own address.
    if (UUID.test(segment)) return isLast ? [{ label: 'Detaljer', path, isScreen: true }] : [];
    return [{ label: labelOf(segment), path, isScreen: !WITHOUT_SCREEN.has(path) }];
  });
}

/** Decodes a path segment: addresses escape æ, ø, å and space. */
function readable(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
