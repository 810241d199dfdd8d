import { queryOptions, useMutation } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  deliverStatement,
  listStatementDeliveries,
} from '../../../domain/portal/statement.endpoints.ts';
import { ask, call } from '../../lib/client.ts';
import { showSuccess, showToast } from '../../lib/toasts.ts';

/** How often a mail that is on its way is asked about (milliseconds). */
const POLL = 2000;

/** The statements that were mailed to a customer; asked for again while one is on its way. */
export function statementDeliveriesQuery(customerNumber: number) {
  return queryOptions({
    ...ask('statements', listStatementDeliveries, { params: { customerNumber } }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ status }) => status === 'QUEUED') ? POLL : false,
  });
}

export function useDeliverStatement(customerNumber: number) {
  return useMutation({
    mutationFn: async (body: RequestOf<typeof deliverStatement>['body']) =>
      call(deliverStatement, { params: { customerNumber }, body }),
    meta: { changes: 'statements' },
    onSuccess: ({ status, failureReason }) => {
      if (status !== 'FAILED') showSuccess('Kontoutskrift sendt!');
      else {
        const title = 'Kontoutskriften ble ikke sendt';
        showToast({ tone: 'error', title, description: `${failureReason ?? ''}.` });
      }
    },
  });
}
