import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import type { IsoDate } from '../../../domain/date.ts';
import {
  createOverviewLink,
  deleteOverviewLink,
  getOverview,
  listOverviewLinks,
} from '../../../domain/overview/overview.endpoints.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

/** The figures of the year of a day. The previous figures are shown until the new ones arrive. */
export function overviewQuery(asOf: IsoDate) {
  return queryOptions({
    ...ask('overview', getOverview, { query: { asOf } }),
    placeholderData: keepPreviousData,
  });
}

export const linksQuery = ask('overview-links', listOverviewLinks, {});

export function useCreateLink() {
  return useMutation({
    mutationFn: async ({ values }: Versioned<RequestOf<typeof createOverviewLink>['body']>) =>
      call(createOverviewLink, { body: values }),
    meta: { changes: 'overview-links' },
  });
}

export function useRevokeLink() {
  return useMutation({
    mutationFn: async (uuid: string) => call(deleteOverviewLink, { params: { uuid } }),
    meta: { changes: 'overview-links' },
    onSuccess: () => showSuccess('Lenken er trukket tilbake!'),
  });
}
