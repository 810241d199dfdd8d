import { queryOptions, useQuery } from '@tanstack/react-query';

import { getProfile } from '../../../domain/profile/profile.endpoints.ts';
import { call } from '../../lib/client.ts';

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => call(getProfile, {}, signal),
});

/** Whether the profile must be completed before invoicing; false until it is known. */
export function useIsProfileIncomplete(): boolean {
  return useQuery(profileQuery).data?.isProfileCompleted === false;
}
