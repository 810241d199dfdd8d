import { useMutation, useQuery } from '@tanstack/react-query';

import { getEhfAgreement } from '../../../domain/ehf/ehf.endpoints.ts';
import { getProfile, updateProfile } from '../../../domain/profile/profile.endpoints.ts';
import type { Profile, ProfileForm } from '../../../domain/profile/profile.schema.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { useFeature } from '../session/session.api.ts';

export const profileQuery = ask('profile', getProfile, {});

/** Whether the profile must be completed before invoicing; false until it is known. */
export function useIsProfileIncomplete(): boolean {
  return useQuery(profileQuery).data?.isProfileCompleted === false;
}

/** The account of new invoices; '' without any. */
export function mainAccount(accounts: Profile['bankAccounts']): string {
  const main = accounts.find(({ isPrimary }) => isPrimary) ?? accounts[0];
  return main?.bankAccountNumber ?? '';
}

export function useUpdateProfile() {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<ProfileForm>) =>
      call(updateProfile, { body: { ...values, version } }),
    meta: { changes: 'profile', answers: profileQuery.queryKey },
    onSuccess: () => showSuccess('Profil oppdatert!'),
  });
}

export const ehfAgreementQuery = ask('ehf-agreement', getEhfAgreement, {});

/** Whether the company may send EHF: the operator has turned it on, and the agreement is active. */
export function useMaySendEhf(): boolean {
  const isOn = useFeature('ehf');
  const { data } = useQuery({ ...ehfAgreementQuery, enabled: isOn });
  return isOn && data?.status === 'ACTIVE';
}
