import { useMutation } from '@tanstack/react-query';

import type { KidAgreementForm } from '../../../domain/profile/profile.schema.ts';
import { deleteKidAgreement, saveKidAgreement } from '../../../domain/profile/profile.endpoints.ts';
import { call } from '../../lib/client.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { kidAgreementQuery } from './kid-agreement.queries.ts';

export function useSaveKidAgreement() {
  return useMutation({
    mutationFn: async ({ values, version }: Saved<KidAgreementForm>) =>
      call(saveKidAgreement, { body: { ...values, version } }),
    meta: { changes: 'kid-agreement', answers: kidAgreementQuery.queryKey },
    onSuccess: () => showSuccess('KID-avtale lagret!'),
  });
}

export function useEndKidAgreement() {
  return useMutation({
    mutationFn: async () => call(deleteKidAgreement),
    meta: { changes: 'kid-agreement', answers: kidAgreementQuery.queryKey },
    onSuccess: () => showSuccess('KID-avtale avsluttet!'),
  });
}
