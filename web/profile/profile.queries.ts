import { queryOptions } from '@tanstack/react-query';

import { getProfile } from '../../domain/profile/profile.endpoints.ts';
import { call } from '../api/client.ts';

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => call(getProfile, {}, signal),
});
