import { queryOptions } from '@tanstack/react-query';

import { getKidAgreement } from '../../../domain/profile/profile.endpoints.ts';
import { call } from '../../lib/client.ts';

/** What is agreed on with the bank; null without an agreement. */
export const kidAgreementQuery = queryOptions({
  queryKey: ['kid-agreement'],
  queryFn: async ({ signal }) => call(getKidAgreement, {}, signal),
});
