import { useMutation, useQueryClient } from '@tanstack/react-query';

import {
  endOtherSessions,
  endSession,
  listSessions,
} from '../../../domain/session/session.endpoints.ts';
import { mailProofCode, prove } from '../../../domain/passkey/proof.endpoints.ts';
import type { RequestOf } from '../../../domain/api/endpoint.ts';
import { deleteAccount } from '../../../domain/closing/closing.endpoints.ts';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { forgetSession, saveSession } from '../session/session.api.ts';

export const sessionsQuery = ask('own-sessions', listSessions, {});

export function useEndSession() {
  return useMutation({
    mutationFn: async (uuid: string) => call(endSession, { params: { uuid } }),
    meta: { changes: 'own-sessions' },
    onSuccess: () => showSuccess('Nettleseren er logget ut!'),
  });
}

export function useEndOtherSessions() {
  return useMutation({
    mutationFn: async () => call(endOtherSessions, {}),
    meta: { changes: 'own-sessions' },
    onSuccess: () => showSuccess('Alle andre er logget ut!'),
  });
}

export function useMailProofCode() {
  return useMutation({ mutationFn: async () => call(mailProofCode, {}) });
}

/** Proves the session, for this tab and the others. */
export function useProve() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: RequestOf<typeof prove>['body']) => call(prove, { body }),
    onSuccess: (session) => saveSession(queryClient, session),
  });
}

/** Deletes the account. Nobody is logged in afterwards. */
export function useDeleteAccount() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (confirm: string) => call(deleteAccount, { body: { confirm } }),
    onSuccess: () => {
      showSuccess('Kontoen din er slettet!', { follows: true });
      forgetSession(queryClient);
    },
  });
}
