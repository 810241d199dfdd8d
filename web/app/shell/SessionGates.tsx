import type { ReactNode } from 'react';
import { Navigate, Outlet } from 'react-router';

import type { Feature } from '../../../domain/api/endpoint.ts';
import { paths } from '../../lib/paths.ts';
import { useSession, useSessionOfScreen } from '../../features/session/session.queries.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { InputOwner } from '../../forms/kept-input.ts';
import { LoadingHeading } from '../../ui/LoadingHeading.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Page } from '../../ui/Page.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { KeptInputNotice } from './KeptInputNotice.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import styles from './SessionGates.module.css';

/**
 * Around the screens that need a session. The screen fetches its data at the same time as the session:
 * nearly always there is one, and without one the server refuses.
 */
export function RequireSession() {
  const { session, status, retry } = useSessionOfScreen();
  if (status === 'loggedOut') return <Navigate to={paths.login} replace />;
  if (status === 'failed') {
    return (
      <Page heading="Får ikke kontakt">
        <LoadFailure onRetry={retry} />
      </Page>
    );
  }
  return (
    <InputOwner value={session?.email}>
      <KeptInputNotice />
      <Outlet />
    </InputOwner>
  );
}

/** Around a screen of a feature. It is unknown where that is off, as other addresses are. */
export function RequireFeature({ feature, children }: { feature: Feature; children: ReactNode }) {
  const { session } = useSession();
  if (!session) return <PageSkeleton />;
  return session.features.includes(feature) ? children : <NotFound />;
}

/** Around login, registration and code, which are for those who are not logged in. */
export function RequireNoSession() {
  const { status } = useSessionOfScreen();
  if (status === 'loggedIn') return <Navigate to={paths.invoices} replace />;
  if (status === 'unknown') {
    return (
      <div className={styles.waiting}>
        <LoadingHeading />
        <Spinner size={32} label="Laster" />
      </div>
    );
  }
  return <Outlet />;
}
