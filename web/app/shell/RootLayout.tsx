import { Suspense, useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';

import { Toaster } from '../../ui/Toaster.tsx';
import { leaveToasts } from '../../lib/toasts.ts';
import { Breadcrumbs } from './Breadcrumbs.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';

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
