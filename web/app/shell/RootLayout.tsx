import { onlineManager, useQuery } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';

import { type Feature, FEATURES, isOn } from '../../../domain/api/endpoint.ts';
import {
  settingsQuery,
  useFeature,
  useFeatures,
  useSession,
} from '../../features/session/session.api.ts';
import { laterCode } from '../../lib/later-code.ts';
import { paths } from '../../lib/paths.ts';
import { leaveToasts } from '../../lib/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { ChevronRightIcon, LogoMark, PersonIcon } from '../../ui/icons.tsx';
import { PageSkeleton } from '../../ui/Surface.tsx';
import { Toaster } from '../../ui/Toaster.tsx';
import { type Place, PLACES_WITHOUT_SCREEN, SCREENS } from '../routes.ts';
import styles from './Breadcrumbs.module.css';
import { companies, Later } from './Later.tsx';

export function RootLayout() {
  const { pathname, key } = useLocation();
  useEffect(leaveToasts, [pathname]);
  const asksForProof = useFeature('security');
  return (
    <div className="site">
      <a href="#innhold" className="site-skip">
        Hopp til innholdet
      </a>
      <Header />
      <OfflineNotice />
      <main id="innhold" tabIndex={-1} className="site-main">
        <Breadcrumbs pathname={pathname} />
        <ErrorBoundary navigation={key}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <Toaster />
      {asksForProof ? <Later code={asker}>{({ ProofAsker }) => <ProofAsker />}</Later> : null}
    </div>
  );
}

const asker = laterCode(async () => import('../../features/security/ProofAsker.tsx'));

function Footer() {
  const { data } = useQuery(settingsQuery);
  return (
    <footer className="site-footer">
      <div className="row between site-footer-bar">
        <p className="row site-support">
          {data ? (
            <>
              Trenger du hjelp? <a href={`mailto:${data.supportEmail}`}>{data.supportEmail}</a>
            </>
          ) : null}
        </p>
        <Link to={paths.privacy}>Personvern</Link>
      </div>
    </footer>
  );
}

function OfflineNotice() {
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  return (
    <div aria-live="polite" className="site-offline" data-tone="warning">
      {online ? null : (
        <p className="box">Du er uten nett. Det du skriver, blir stående til nettet er tilbake.</p>
      )}
    </div>
  );
}

const FOR_USERS = SCREENS.filter((screen) => !screen.for);

function Header() {
  const { session, status } = useSession();
  const features = useFeatures();
  const { pathname } = useLocation();
  // Assume a login on screens that require one until the session is known. Otherwise the login button would
  // flash and move the page at every visit.
  const expected = status === 'unknown' && FOR_USERS.some(({ path }) => pathname.startsWith(path));
  const loggedIn = expected || Boolean(session?.email);
  const shown = new Set(loggedIn ? features : []);
  const links = FOR_USERS.filter((screen) => screen.menu && isOn(screen, shown));
  return (
    <header className="site-header">
      <div className="site-bar" data-logged-in={loggedIn}>
        <Link
          to={loggedIn ? paths.invoices : paths.landing}
          reloadDocument={!loggedIn}
          className="site-brand"
        >
          <LogoMark />
          Faktur
        </Link>
        <nav aria-label="Hovedmeny" className="site-nav">
          {links.map((link) => (
            <NavLink key={link.path} to={link.path} className="site-link">
              {link.menu}
            </NavLink>
          ))}
        </nav>
        <div className="site-account">
          {session?.company && (session.companies?.length ?? 0) > 1 ? (
            <Later code={companies}>
              {({ CompanySwitcher }) => <CompanySwitcher session={session} />}
            </Later>
          ) : null}
          <NavLink
            to={paths.profile}
            aria-label="Profil"
            title="Profil"
            className="round site-profile"
          >
            <PersonIcon />
          </NavLink>
          {loggedIn ? null : (
            <Link to={paths.login} className="site-login">
              Logg inn
            </Link>
          )}
        </div>
      </div>
    </header>
  );
}

function Breadcrumbs({ pathname }: { pathname: string }) {
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

interface ErrorBoundaryProps {
  /** The router's key of the navigation. A new navigation clears the failure, even to the same address. */
  readonly navigation: string;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly failed: boolean;
  readonly navigation: string;
}

/**
 * Replaces a screen that crashed, or whose code cannot be loaded because of a new version or a lost connection,
 * and offers a reload.
 */
class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: false, navigation: this.props.navigation };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  // A React key would also reset the state, but would remove the screen before the next one is loaded.
  static getDerivedStateFromProps(
    { navigation }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return navigation === state.navigation ? null : { failed: false, navigation };
  }

  // Report explicitly: React has caught the error, and Sentry sees only uncaught errors.
  override componentDidCatch(error: unknown): void {
    window.reportError(error);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="stack gap-4 lost" role="alert">
        <title>Noe gikk galt – Faktur</title>
        <h1 lang="en">An error has occurred</h1>
        <p className="soft">Siden kunne ikke vises. Last den på nytt for å prøve igjen.</p>
        <Button variant="primary" onClick={() => window.location.reload()}>
          Last siden på nytt
        </Button>
      </div>
    );
  }
}
