import { useMutation } from '@tanstack/react-query';

import { requestEhfAgreement } from '../../../domain/ehf/ehf.endpoints.ts';
import { call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { ehfAgreementQuery } from './ehf-agreement.queries.ts';

export function useRequestEhfAgreement() {
  return useMutation({
    mutationFn: async () => call(requestEhfAgreement, {}),
    meta: { changes: 'ehf-agreement', answers: ehfAgreementQuery.queryKey },
    onSuccess: () => showSuccess('Du har bedt om utstederavtale!'),
  });
}
