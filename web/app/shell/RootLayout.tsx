import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { onlineManager, useQuery } from '@tanstack/react-query';

import { isOn } from '../../../domain/api/endpoint.ts';
import { Toaster } from '../../ui/Toaster.tsx';
import { leaveToasts } from '../../lib/toasts.ts';
import { Breadcrumbs } from './Breadcrumbs.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { PageSkeleton } from '../../ui/Surface.tsx';
import { settingsQuery, useFeatures, useSession } from '../../features/session/session.api.ts';
import { paths } from '../../lib/paths.ts';
import { LogoMark, PersonIcon } from '../../ui/icons.tsx';
import { CompanyCode } from './CompanyCode.tsx';
import { SCREENS } from '../routes.ts';

export function RootLayout() {
  const { pathname, key } = useLocation();
  useEffect(leaveToasts, [pathname]);
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
    </div>
  );
}

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
            <CompanyCode show="CompanySwitcher" session={session} />
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
