import { useMutation, useQueryClient } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  acceptInvitation,
  inviteMember,
  listMembers,
  readInvitation,
  removeMember,
  updateMember,
} from '../../../domain/member/member.endpoints.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { enterSession } from '../session/session.api.ts';

export const membersQuery = ask('members', listMembers, {});

export const invitationQuery = (token: string) =>
  ask('members', readInvitation, { body: { token } });

/** Leaves out what the owner decides for other roles only. */
function onlyOwn<A extends RequestOf<typeof updateMember>['body']>(access: A): A {
  const { role, mayRegister, mayHandlePayments } = access;
  const isAsked = role === 'EMPLOYEE' || role === 'ACCOUNTANT';
  return {
    ...access,
    mayRegister: isAsked && mayRegister,
    mayHandlePayments: role === 'EMPLOYEE' && mayHandlePayments,
  };
}

export function useInviteMember() {
  return useMutation({
    mutationFn: async ({ values }: Versioned<RequestOf<typeof inviteMember>['body']>) =>
      call(inviteMember, { body: onlyOwn(values) }),
    meta: { changes: 'members' },
    onSuccess: ({ email }) => showSuccess(`Invitasjonen er sendt til ${email}!`),
  });
}

export function useUpdateMember(uuid: string) {
  return useMutation({
    mutationFn: async ({ values }: Versioned<RequestOf<typeof updateMember>['body']>) =>
      call(updateMember, { params: { uuid }, body: onlyOwn(values) }),
    meta: { changes: 'members' },
    onSuccess: () => showSuccess('Tilgangen er endret!'),
  });
}

/** @param message the text of the toast */
export function useRemoveMember(message: string) {
  return useMutation({
    mutationFn: async ({ uuid, keepLinks }: { uuid: string; keepLinks: boolean }) =>
      call(removeMember, { params: { uuid }, query: { keepLinks: keepLinks ? 'true' : 'false' } }),
    meta: { changes: 'members' },
    onSuccess: () => showSuccess(message),
  });
}

/** Accepts an invitation and logs in. The screen itself tells why it failed. */
export function useAcceptInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (token: string) => call(acceptInvitation, { body: { token } }),
    meta: { isShownInPlace: true },
    onSuccess: (session) => enterSession(queryClient, session),
  });
}
