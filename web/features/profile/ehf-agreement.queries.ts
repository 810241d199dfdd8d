import { queryOptions, useQuery } from '@tanstack/react-query';

import { getEhfAgreement } from '../../../domain/ehf/ehf.endpoints.ts';
import { call } from '../../lib/client.ts';
import { useFeature } from '../session/session.queries.ts';

export const ehfAgreementQuery = queryOptions({
  queryKey: ['ehf-agreement'],
  queryFn: async ({ signal }) => call(getEhfAgreement, {}, signal),
});

/** Whether the company may send EHF: the operator has turned it on, and the agreement is active. */
export function useMaySendEhf(): boolean {
  const isOn = useFeature('ehf');
  const { data } = useQuery({ ...ehfAgreementQuery, enabled: isOn });
  return isOn && data?.status === 'ACTIVE';
}
