import { useMutation } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import {
  createOverviewLink,
  deleteOverviewLink,
  listOverviewLinks,
} from '../../../domain/overview/overview-link.endpoints.ts';
import { ask } from '../../lib/ask.ts';
import { call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

export const linksQuery = ask('overview-links', listOverviewLinks, {});

export function useCreateLink() {
  return useMutation({
    mutationFn: async (body: RequestOf<typeof createOverviewLink>['body']) =>
      call(createOverviewLink, { body }),
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
