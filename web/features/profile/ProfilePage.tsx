import { useQuery } from '@tanstack/react-query';

import { paths } from '../../lib/paths.ts';
import { useFeature, useLogout } from '../session/session.api.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { LogOutIcon } from '../../ui/icons.tsx';
import { leave } from '../../lib/leaving.ts';
import { Page } from '../../ui/Page.tsx';
import { Agreements } from './Agreements.tsx';
import { LogoCard } from './LogoCard.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { ReminderSettingsCard } from './ReminderSettings.tsx';
import { profileQuery, useUpdateProfile } from './profile.api.ts';

export function ProfilePage() {
  const profile = useQuery(profileQuery);
  const update = useUpdateProfile();
  const sendsEhf = useFeature('ehf');
  const takesPayments = useFeature('payments');
  const reminds = useFeature('reminders');
  return (
    <Page heading="Profil" width="form" actions={<LogoutButton />}>
      {profile.data && !profile.data.isProfileCompleted ? (
        <Alert tone="warning">Fullfør profilen før du kan lage fakturaer</Alert>
      ) : null}
      <Fetched query={profile}>
        {(stored) => <ProfileForm profile={stored} save={update} />}
      </Fetched>
      {profile.data ? <LogoCard profile={profile.data} /> : null}
      {profile.isPending ? null : (
        <Agreements
          sendsEhf={sendsEhf}
          kidAccounts={takesPayments ? (profile.data?.bankAccounts ?? []) : undefined}
        />
      )}
      {reminds ? <ReminderSettingsCard /> : null}
    </Page>
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
