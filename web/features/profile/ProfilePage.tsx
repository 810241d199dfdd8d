import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Navigate, useLocation } from 'react-router';

import { paths } from '../../lib/paths.ts';
import { Allowed } from '../session/Allowed.tsx';
import { useCan, useFeatures, useLogout, useSession } from '../session/session.api.ts';
import { Alert, Fetched, PageSkeleton } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { LogOutIcon } from '../../ui/icons.tsx';
import { leave } from '../../forms/unsaved-input.tsx';
import { Page } from '../../ui/Page.tsx';
import { Agreements } from './Agreements.tsx';
import { OwnCompanyButton } from '../member/OwnCompany.tsx';
import { LogoCard } from './LogoCard.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import styles from './ProfilePage.module.css';
import { profileQuery } from './profile.api.ts';

/** Asks what an invoice needs (PRO-11). The rest of what a company decides has pages of its own. */
export function ProfilePage() {
  const { session } = useSession();
  const profile = useQuery(profileQuery);
  const pages = useFurtherPages();
  const hasAgreements = !pages.some(([path]) => path === paths.agreements);
  const { hash } = useLocation();
  const isReady = session !== undefined && profile.data !== undefined;
  useEffect(() => {
    if (isReady && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [isReady, hash]);
  // The session says which links there are. More of them would push down what is there already (WEB-27).
  if (!session) return <PageSkeleton />;
  const [moved] = pages.find(([, , its]) => its === hash) ?? [];
  if (moved) return <Navigate to={moved} replace />;
  return (
    <Page
      heading="Profil"
      width="form"
      actions={
        <>
          <OwnCompanyButton />
          <LogoutButton />
        </>
      }
    >
      {(profile.data ?? session).isProfileCompleted ? null : (
        <Alert tone="warning">Fullfør profilen før du kan lage fakturaer</Alert>
      )}
      {pages.length === 0 ? null : (
        <nav aria-label="Mer om bedriften" className={styles.links}>
          {pages.map(([path, label]) => (
            <Link key={path} to={path}>
              {label}
            </Link>
          ))}
        </nav>
      )}
      <Fetched query={profile}>
        {(stored) => (
          <Allowed permission="profile">
            <ProfileForm profile={stored} />
            <LogoCard profile={stored} />
            {hasAgreements ? (
              <div id="agreements">
                <Agreements />
              </div>
            ) : null}
          </Allowed>
        )}
      </Fetched>
    </Page>
  );
}

/** Pages that are on and that the caller may see, each with its name and the hash that once led to it (PRO-14). */
function useFurtherPages() {
  const features = useFeatures();
  const canExport = useCan('export');
  const canSeeMembers = useCan('members');
  const hasAgreements = features.has('ehf') || features.has('payments');
  const pages = [
    [features.has('reminders'), paths.reminderSettings, 'Purringer', '#reminders'],
    [features.has('export') && canExport, paths.exportSettings, 'Kontoer for eksport', '#export'],
    [hasAgreements, paths.agreements, 'Avtaler (KID og EHF)', '#agreements'],
    [features.has('members') && canSeeMembers, paths.members, 'Medlemmer', '#members'],
  ] as const;
  return pages.filter(([isThere]) => isThere).map(([, ...page]) => page);
}

function LogoutButton() {
  const logout = useLogout(() => window.location.assign(paths.landing));
  return (
    <Button
      icon={<LogOutIcon />}
      pending={logout.isPending}
      onClick={() => leave(() => logout.mutate())}
    >
      Logg ut
    </Button>
  );
}
