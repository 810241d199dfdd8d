import { Link } from 'react-router';

import { FEATURES, isOn, type Feature } from '../../../domain/api/endpoint.ts';
import { useSession } from '../../features/session/session.api.ts';
import { ChevronRightIcon } from '../../ui/icons.tsx';
import { PLACES_WITHOUT_SCREEN, SCREENS, type Place } from '../routes.ts';
import styles from './Breadcrumbs.module.css';

export function Breadcrumbs({ pathname }: { pathname: string }) {
  const { session } = useSession();
  const crumbs = crumbsOf(pathname, session?.features);
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label="Brødsmulesti" className={`not-printed ${styles.trail}`}>
      <ol className="row gap-1">
        {crumbs.map((crumb, index) => {
          const last = index === crumbs.length - 1;
          return (
            <li key={crumb.path} className={`row gap-1 ${styles.crumb}`}>
              {index > 0 ? <ChevronRightIcon /> : null}
              {last || !crumb.isScreen ? (
                <span className={styles.place} aria-current={last ? 'page' : undefined}>
                  {crumb.label}
                </span>
              ) : (
                <Link to={crumb.path} className={styles.place}>
                  {crumb.label}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

interface Crumb {
  readonly label: string;
  readonly path: string;
  /** Whether the path has a screen, so that the crumb can be a link. */
  readonly isScreen: boolean;
}

const PLACES = [...SCREENS, ...PLACES_WITHOUT_SCREEN];
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/**
 * '/customers/groups/create/' → Kundeliste, Grupper, Ny (WEB-3). The landing page has no crumbs.
 *
 * @param features the features that are on; all features until the session is known
 */
export function crumbsOf(
  pathname: string,
  features: readonly Feature[] = FEATURES,
): readonly Crumb[] {
  const on = new Set(features);
  // Each segment has the same name wherever it is.
  const labelOf = (segment: string) =>
    PLACES.find((place) => isOn(place, on) && place.path.endsWith(`/${segment}/`))?.label;
  const segments = pathname.split('/').filter(Boolean);
  return segments.flatMap((segment, index) => {
    const path = `/${segments.slice(0, index + 1).join('/')}/`;
    const isLast = index === segments.length - 1;
    // A uuid is not readable, and a group has no screen at its own address.
    if (UUID.test(segment)) return isLast ? [{ label: 'Detaljer', path, isScreen: true }] : [];
    const isHere = (place: Place) => place.path === path && isOn(place, on);
    const isScreen = SCREENS.some(isHere) || !PLACES_WITHOUT_SCREEN.some(isHere);
    return [{ label: labelOf(segment) ?? readable(segment), path, isScreen }];
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
