import { type ReactNode, useContext, useState } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';

import type { Feature } from '../../../domain/api/endpoint.ts';
import type { Permission } from '../../../domain/permission.ts';
import { companyOfTab } from '../../lib/client.ts';
import { paths } from '../../lib/paths.ts';
import {
  codeScreen,
  useCan,
  useFeature,
  useSession,
  useSessionOfScreen,
} from '../../features/session/session.api.ts';
import { Alert, LoadFailure, Loading, LoadingHeading, PageSkeleton } from '../../ui/Surface.tsx';
import {
  changeKept,
  InputOwner,
  type Kept,
  useKeptInputs,
  useLeaveQuestion,
} from '../../forms/unsaved-input.tsx';
import { ConfirmDialog } from '../../ui/Modal.tsx';
import { NotFound, Page } from '../../ui/Page.tsx';
import { Button } from '../../ui/Button.tsx';
import { laterCode } from '../../lib/later-code.ts';
import { companies, Later } from './Later.tsx';

const notice = laterCode(async () => import('../../features/closing/ClosedNotice.tsx'));

/**
 * Wraps the screens that require a session. A screen fetches its data in parallel with the session, because the
 * session nearly always exists; without one the server refuses.
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
  if (session?.company === null) {
    return <Later code={companies}>{({ NoCompany }) => <NoCompany session={session} />}</Later>;
  }
  return (
    <InputOwner value={session?.email}>
      {session?.companyState === 'CLOSED' ? (
        <Later code={notice}>{({ ClosedNotice }) => <ClosedNotice />}</Later>
      ) : null}
      <KeptInputNotice />
      <Outlet />
      <LeaveDialog />
      {session?.company ? (
        <Later code={companies}>{({ OtherCompany }) => <OtherCompany session={session} />}</Later>
      ) : null}
    </InputOwner>
  );
}

function LeaveDialog() {
  const question = useLeaveQuestion();
  return (
    <ConfirmDialog title="Forkaste det du har skrevet?" confirmLabel="Forkast" {...question}>
      Det er ikke lagret, og blir borte hvis du går videre.
    </ConfirmDialog>
  );
}

interface RequireFeatureProps {
  readonly feature: Feature;
  /** The permission without which the screen does not exist. */
  readonly needs: Permission | undefined;
  readonly children: ReactNode;
}

/** Wraps a screen of a feature. When the feature is off, or is not for the caller, shows the page for unknown addresses. */
export function RequireFeature({ feature, needs = 'see', children }: RequireFeatureProps) {
  const { session } = useSession();
  const mayOpen = [useFeature(feature), useCan(needs)].every(Boolean);
  if (!session) return <PageSkeleton />;
  return mayOpen ? children : <NotFound />;
}

/** Wraps the login, registration and code screens. Redirects users who are logged in. */
export function RequireNoSession() {
  const { status } = useSessionOfScreen();
  // A form stays, with what is typed in it, while a session that could not be fetched is asked for again.
  const [isShown, setShown] = useState(false);
  if (status !== 'unknown' && !isShown) setShown(true);
  if (status === 'loggedIn' && !codeScreen.stays) return <Navigate to={paths.invoices} replace />;
  if (status === 'unknown' && !isShown) {
    return (
      <>
        <LoadingHeading />
        <Loading />
      </>
    );
  }
  return <Outlet />;
}

/** Links back to a form with kept input: the session expired, or a save failed after the user left the screen. */
function KeptInputNotice() {
  const owner = useContext(InputOwner);
  const { pathname } = useLocation();
  const company = companyOfTab();
  const isOfPlace = (kept: Kept) => kept.owner === owner && kept.company === company;
  const places = useKeptInputs().filter(isOfPlace);
  const [place] = places;
  if (!place || places.some((other) => other.pathname === pathname)) return null;
  const forget = () => {
    changeKept((kept) => kept.filter((other) => !isOfPlace(other)));
    // The focused button disappears with the notice.
    document.getElementById('innhold')?.focus();
  };
  return (
    <div className="above">
      <Alert
        title="Noe du skrev, er ikke lagret."
        action={<Button onClick={forget}>Forkast</Button>}
      >
        <Link to={place.pathname}>Fortsett der du slapp</Link>
      </Alert>
    </div>
  );
}
