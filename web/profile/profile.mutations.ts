import { useMutation, useQueryClient } from '@tanstack/react-query';

import { updateProfile } from '../../domain/profile/profile.endpoints.ts';
import type { ProfileForm } from '../../domain/profile/profile.schema.ts';
import { call } from '../api/client.ts';
import { showSuccess } from '../ui/toasts.ts';
import { profileQuery } from './profile.queries.ts';

export function useUpdateProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: ProfileForm) => call(updateProfile, { body }),
    meta: { changes: 'profile' },
    onSuccess: (profile) => {
      showSuccess('Profil oppdatert!');
      queryClient.setQueryData(profileQuery.queryKey, profile);
    },
  });
}
