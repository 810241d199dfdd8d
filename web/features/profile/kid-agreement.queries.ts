import { queryOptions } from '@tanstack/react-query';

import { getKidAgreement } from '../../../domain/profile/profile.endpoints.ts';
import { call } from '../../lib/client.ts';

/** The KID agreement with the bank; null when there is none. */
export const kidAgreementQuery = queryOptions({
  queryKey: ['kid-agreement'],
  queryFn: async ({ signal }) => call(getKidAgreement, {}, signal),
});
