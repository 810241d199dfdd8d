import { useMutation, useQueryClient } from '@tanstack/react-query';

import { chooseCompany, createCompany } from '../../../domain/member/member.endpoints.ts';
import { call, companyOfTab, setCompany } from '../../lib/client.ts';
import {
  forgetAccount,
  isOfAccount,
  sessionQuery,
  showCompany,
  useSession,
} from '../session/session.api.ts';

/** Goes over to another company of the account, or back to the one that this tab shows. */
export function useChooseCompany() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (companyUuid: string) => call(chooseCompany, { body: { companyUuid } }),
    onSuccess: (session) => {
      const isBack = session.company?.uuid === companyOfTab();
      showCompany(queryClient, session);
      // A screen with input stays as it is; what was refused meanwhile is fetched again.
      if (isBack) void queryClient.invalidateQueries({ predicate: isOfAccount });
      else forgetAccount(queryClient);
    },
  });
}

/**
 * Creates a company of the account's own, and goes over to it.
 *
 * @param goOn called also when the screen with the button is gone, because it is for accounts without a company
 */
export function useCreateCompany(goOn: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(createCompany, {}),
    onSuccess: (session) => {
      goOn();
      showCompany(queryClient, session);
      forgetAccount(queryClient);
    },
  });
}

/** Stays with the company that another tab has gone over to. */
export function useStayInCompany(): () => void {
  const queryClient = useQueryClient();
  const session = useSession().session;
  return () => {
    setCompany(session?.company?.uuid);
    forgetAccount(queryClient);
    if (session) queryClient.setQueryData(sessionQuery.queryKey, { ...session });
  };
}
