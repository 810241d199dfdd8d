import { useMutation } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import { createToken, deleteToken, listTokens } from '../../../domain/token/token.endpoints.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

export const tokensQuery = ask('tokens', listTokens, {});

export function useCreateToken() {
  return useMutation({
    mutationFn: async ({ values }: Versioned<RequestOf<typeof createToken>['body']>) =>
      call(createToken, { body: values }),
    meta: { changes: 'tokens' },
  });
}

export function useDeleteToken() {
  return useMutation({
    mutationFn: async (uuid: string) => call(deleteToken, { params: { uuid } }),
    meta: { changes: 'tokens' },
    onSuccess: () => showSuccess('Nøkkelen er trukket tilbake!'),
  });
}
