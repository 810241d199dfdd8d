import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { onlineManager, useQuery } from '@tanstack/react-query';

import { Toaster } from '../../ui/Toaster.tsx';
import { leaveToasts } from '../../lib/toasts.ts';
import { Breadcrumbs } from './Breadcrumbs.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Header } from './Header.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { settingsQuery } from '../../features/session/session.api.ts';
import { paths } from '../../lib/paths.ts';

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
    () => true,
  );
  return (
    <div aria-live="polite" className="site-offline" data-tone="warning">
      {online ? null : (
        <p className="box">Du er uten nett. Det du skriver, blir stående til nettet er tilbake.</p>
      )}
    </div>
  );
}
