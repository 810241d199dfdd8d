import { FEATURES, type Feature } from '../../domain/api/endpoint.ts';

interface Crumb {
  readonly label: string;
  readonly path: string;
  /** Whether the path is a screen of its own, and may hence be a link. */
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

/** Labels that mean something where a feature is on. */
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
 * '/customers/groups/create/' → Kundeliste, Grupper, Ny. The landing page has no trail.
 *
 * @param features what is on; all of them until that is known
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
    // A uuid means nothing to people, and a group has no screen at its own address.
    if (UUID.test(segment)) return isLast ? [{ label: 'Detaljer', path, isScreen: true }] : [];
    return [{ label: labelOf(segment), path, isScreen: !WITHOUT_SCREEN.has(path) }];
  });
}

/** Addresses escape æ, ø, å and space. */
function readable(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
