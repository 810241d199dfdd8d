import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { getEhfAgreement, requestEhfAgreement } from '../../domain/ehf/ehf.endpoints.ts';
import { call } from '../api/client.ts';
import { useFeature } from '../session/session.queries.ts';
import { showSuccess } from '../ui/toasts.ts';

export const ehfAgreementQuery = queryOptions({
  queryKey: ['ehf-agreement'],
  queryFn: async ({ signal }) => call(getEhfAgreement, {}, signal),
});

/** Whether the company may send EHF: the operator has it on, and its agreement is in force. */
export function useMaySendEhf(): boolean {
  const isOn = useFeature('ehf');
  const { data } = useQuery({ ...ehfAgreementQuery, enabled: isOn });
  return isOn && data?.status === 'ACTIVE';
}

export function useRequestEhfAgreement() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(requestEhfAgreement, {}),
    meta: { changes: 'ehf-agreement' },
    onSuccess: (agreement) => {
      showSuccess('Du har bedt om utstederavtale!');
      queryClient.setQueryData(ehfAgreementQuery.queryKey, agreement);
    },
  });
}
