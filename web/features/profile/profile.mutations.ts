import { useMutation } from '@tanstack/react-query';

import { updateProfile } from '../../../domain/profile/profile.endpoints.ts';
import type { ProfileForm } from '../../../domain/profile/profile.schema.ts';
import { call } from '../../lib/client.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { profileQuery } from './profile.queries.ts';

export function useUpdateProfile() {
  return useMutation({
    mutationFn: async ({ values, version }: Saved<ProfileForm>) =>
      call(updateProfile, { body: { ...values, version } }),
    meta: { changes: 'profile', answers: profileQuery.queryKey },
    onSuccess: () => showSuccess('Profil oppdatert!'),
  });
}
