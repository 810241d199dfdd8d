import { useMutation } from '@tanstack/react-query';

import {
  endOtherSessions,
  endSession,
  listSessions,
} from '../../../domain/session/session.endpoints.ts';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

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
