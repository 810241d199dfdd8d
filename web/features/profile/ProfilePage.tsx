import { useQuery } from '@tanstack/react-query';
import { useEffect, type MouseEvent } from 'react';
import { Link, useLocation } from 'react-router';

import { paths } from '../../lib/paths.ts';
import { Allowed } from '../session/Allowed.tsx';
import { useCan, useFeature, useLogout, useSession } from '../session/session.api.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { LogOutIcon } from '../../ui/icons.tsx';
import { leave } from '../../forms/unsaved-input.tsx';
import { Page } from '../../ui/Page.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { Agreements } from './Agreements.tsx';
import { exportSettingsQuery } from '../export-settings/export-settings.api.ts';
import { ExportSettingsCard } from '../export-settings/ExportSettingsForm.tsx';
import { OwnCompanyButton } from '../member/OwnCompany.tsx';
import { LogoCard } from './LogoCard.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import styles from './ProfilePage.module.css';
import { ReminderSettingsCard } from './ReminderSettingsForm.tsx';
import { profileQuery } from './profile.api.ts';
import { reminderSettingsQuery } from './settings.api.ts';

export function ProfilePage() {
  const { session } = useSession();
  const profile = useQuery(profileQuery);
  const reminds = useFeature('reminders');
  const canExport = useCan('export');
  const exports = useFeature('export') && canExport;
  // Every part is loaded first, or those above would push the wanted one down again.
  const reminderSettings = useQuery({ ...reminderSettingsQuery, enabled: reminds });
  const exportSettings = useQuery({ ...exportSettingsQuery, enabled: exports });
  const isReady =
    session !== undefined &&
    profile.data !== undefined &&
    !reminderSettings.isLoading &&
    !exportSettings.isLoading;
  const { hash } = useLocation();
  useEffect(() => {
    if (isReady && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [isReady, hash]);
  // The session says which parts there are. More links above them would push down what is there already (WEB-27).
  if (!session) return <PageSkeleton />;
  return (
    <Page
      heading="Profil"
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
      <div className={`stack ${styles.columns}`}>
        <Sections reminds={reminds} exports={exports} />
        <div className="stack">
          <Fetched query={profile}>
            {(stored) => (
              <Allowed permission="profile">
                <ProfileForm profile={stored} />
              </Allowed>
            )}
          </Fetched>
          <Allowed permission="profile">
            {profile.data ? <LogoCard profile={profile.data} /> : null}
            {reminds ? (
              <div id="reminders" tabIndex={-1}>
                <ReminderSettingsCard />
              </div>
            ) : null}
          </Allowed>
          {exports && profile.data ? (
            <div id="export" tabIndex={-1}>
              <Allowed permission="edit">
                <ExportSettingsCard profile={profile.data} />
              </Allowed>
            </div>
          ) : null}
          {profile.data ? (
            <div id="agreements" tabIndex={-1}>
              <Allowed permission="profile">
                <Agreements accounts={profile.data.bankAccounts} />
              </Allowed>
            </div>
          ) : null}
        </div>
      </div>
    </Page>
  );
}

/** Links to the parts of the profile. Company and invoicing are one form; the others have their own buttons. */
function Sections({ reminds, exports }: { reminds: boolean; exports: boolean }) {
  const canSeeMembers = useCan('members');
  const hasMembers = useFeature('members') && canSeeMembers;
  return (
    <nav aria-label="Deler av profilen" className={styles.links}>
      <SectionLink id="company">Bedrift</SectionLink>
      <SectionLink id="invoicing">Fakturering</SectionLink>
      {reminds ? <SectionLink id="reminders">Purringer</SectionLink> : null}
      {exports ? <SectionLink id="export">Eksport</SectionLink> : null}
      <SectionLink id="agreements">Avtaler</SectionLink>
      {hasMembers ? <Link to={paths.members}>Medlemmer</Link> : null}
    </nav>
  );
}

function SectionLink({ id, children }: { id: string; children: string }) {
  const show = (event: MouseEvent) => {
    // A navigation would ask about unsaved input.
    event.preventDefault();
    window.history.replaceState(window.history.state, '', `#${id}`);
    const place = document.getElementById(id);
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  };
  return (
    <a href={`#${id}`} onClick={show}>
      {children}
    </a>
  );
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
