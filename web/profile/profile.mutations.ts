import { useMutation, useQueryClient } from '@tanstack/react-query';

import { updateProfile } from '../../domain/profile/profile.endpoints.ts';
import type { ProfileForm } from '../../domain/profile/profile.schema.ts';
import { call } from '../api/client.ts';
import { sessionQuery } from '../session/session.queries.ts';
import { showSuccess } from '../ui/toasts.ts';
import { profileQuery } from './profile.queries.ts';

export function useUpdateProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: ProfileForm) => call(updateProfile, { body }),
    onSuccess: async (profile) => {
      showSuccess('Profil oppdatert!');
      queryClient.setQueryData(profileQuery.queryKey, profile);
      // The session says whether the profile is complete.
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
}
