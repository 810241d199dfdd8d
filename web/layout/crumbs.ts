interface Crumb {
  readonly label: string;
  readonly path: string;
  /** Whether the path is a screen of its own, and may hence be a link. */
  readonly isScreen: boolean;
}

/** Labels of path segments (specification § 2). */
const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    overview: 'Oversikt',
    invoices: 'Faktura',
    create: 'Ny',
    profile: 'Profil',
    customers: 'Kundeliste',
    groups: 'Grupper',
    templates: 'Mal',
    edit: 'Endre',
    payments: 'Innbetalinger',
    files: 'Fil',
    privacy: 'Personvern',
    auth: 'Konto',
    login: 'Logg inn',
    'magic-link': 'Kode',
    signup: 'Registrer deg',
    emails: 'E-post',
    unsubscribe: 'Avregistrer',
  }),
);

const WITHOUT_SCREEN = new Set(['/auth/', '/emails/', '/payments/files/']);
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** '/customers/groups/create/' → Kundeliste, Grupper, Ny. The landing page has no trail. */
export function crumbsOf(pathname: string): readonly Crumb[] {
  const segments = pathname.split('/').filter(Boolean);
  return segments.flatMap((segment, index) => {
    const path = `/${segments.slice(0, index + 1).join('/')}/`;
    const isLast = index === segments.length - 1;
    // A uuid means nothing to people, and a group has no screen at its own address.
    if (UUID.test(segment)) return isLast ? [{ label: 'Detaljer', path, isScreen: true }] : [];
    const label = LABELS.get(segment) ?? readable(segment);
    return [{ label, path, isScreen: !WITHOUT_SCREEN.has(path) }];
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
