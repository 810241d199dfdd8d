import { queryOptions, useQuery } from '@tanstack/react-query';

import { getProfile } from '../../../domain/profile/profile.endpoints.ts';
import { call } from '../../lib/client.ts';

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => call(getProfile, {}, signal),
});

/** Whether the profile is known to have to be filled in before anything is invoiced. */
export function useIsProfileIncomplete(): boolean {
  return useQuery(profileQuery).data?.isProfileCompleted === false;
}
