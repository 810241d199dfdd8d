import { useMutation, useQueryClient } from '@tanstack/react-query';

import type { KidAgreementForm } from '../../domain/profile/kid-agreement.schema.ts';
import { deleteKidAgreement, saveKidAgreement } from '../../domain/profile/profile.endpoints.ts';
import { call } from '../api/client.ts';
import type { Saved } from '../ui/GuardedForm.tsx';
import { showSuccess } from '../ui/toasts.ts';
import { kidAgreementQuery } from './kid-agreement.queries.ts';

export function useSaveKidAgreement() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ values, version }: Saved<KidAgreementForm>) =>
      call(saveKidAgreement, { body: { ...values, version } }),
    meta: { changes: 'kid-agreement' },
    onSuccess: (agreement) => {
      showSuccess('KID-avtale lagret!');
      queryClient.setQueryData(kidAgreementQuery.queryKey, agreement);
    },
  });
}

export function useEndKidAgreement() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(deleteKidAgreement),
    meta: { changes: 'kid-agreement' },
    onSuccess: () => {
      showSuccess('KID-avtale avsluttet!');
      queryClient.setQueryData(kidAgreementQuery.queryKey, null);
    },
  });
}
