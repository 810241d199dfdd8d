import { useMutation, useQueryClient } from '@tanstack/react-query';

import { requestEhfAgreement } from '../../domain/ehf/ehf.endpoints.ts';
import { call } from '../api/client.ts';
import { showSuccess } from '../ui/toasts.ts';
import { ehfAgreementQuery } from './ehf-agreement.queries.ts';

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
