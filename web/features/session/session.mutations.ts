import { useMutation, useQueryClient } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  loginEmail,
  logout,
  registerEmail,
  verifyLogin,
} from '../../../domain/session/session.endpoints.ts';
import { call } from '../../lib/client.ts';
import { forgetInputOfOthers } from '../../forms/kept-input.ts';
import { forgetAccount, tellOtherTabs } from './other-tabs.ts';
import { sessionQuery } from './session.queries.ts';

export function useLoginEmail() {
  return useMutation({
    mutationFn: async (body: RequestOf<typeof loginEmail>['body']) => call(loginEmail, { body }),
  });
}

export function useRegisterEmail() {
  return useMutation({
    mutationFn: async (body: RequestOf<typeof registerEmail>['body']) =>
      call(registerEmail, { body }),
  });
}

export function useVerifyLogin() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: RequestOf<typeof verifyLogin>['body']) => call(verifyLogin, { body }),
    onSuccess: (session) => {
      // The session may have ended without a logout, elsewhere or by expiry.
      forgetAccount(queryClient);
      forgetInputOfOthers(session.email);
      queryClient.setQueryData(sessionQuery.queryKey, session);
      tellOtherTabs(session);
    },
  });
}

/** Ends the session and then calls `leave`. */
export function useLogout(leave: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(logout, {}),
    onSuccess: () => {
      leave();
      forgetAccount(queryClient);
      forgetInputOfOthers();
      // The browser may keep this page for its back button, so no account may be shown on it.
      queryClient.setQueryData(sessionQuery.queryKey, null);
      tellOtherTabs(null);
    },
  });
}
