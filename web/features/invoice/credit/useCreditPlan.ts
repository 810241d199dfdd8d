import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { CreditBody, CreditTrial } from '../../../../domain/invoice/credit.schema.ts';
import { getInvoice } from '../../../../domain/invoice/invoice.endpoints.ts';
import { ApiError, hasStatus } from '../../../lib/api-error.ts';
import { useDebounced } from '../../../ui/SearchField.tsx';
import { creditPlanQuery } from './credit.api.ts';

/** The preview of a crediting while the user fills it in. */
export interface CreditPlan {
  /** The preview; the previous one while a new one is fetched. Undefined while nothing valid is filled in. */
  readonly preview: CreditTrial | undefined;
  /** Whether the preview matches the form. */
  readonly isSettled: boolean;
  /** Whether a preview of the form is on its way. */
  readonly isAsking: boolean;
  /** The reason why it cannot be credited so, in words for the user. */
  readonly refusal: string | undefined;
  /** Asks again; undefined unless no answer came. */
  readonly retry: (() => void) | undefined;
}

/** @param body what the form says; undefined while it is not valid */
export function useCreditPlan(invoiceUuid: string, body: CreditBody | undefined): CreditPlan {
  const queryClient = useQueryClient();
  // A string, because every render makes a new body. The reason changes no sum.
  const wish = body && JSON.stringify({ ...body, reason: null });
  const asked = useDebounced(wish);
  const askedBody = asked === undefined ? NOTHING : (JSON.parse(asked) as CreditBody);
  const { queryFn, ...rest } = creditPlanQuery(invoiceUuid, askedBody);
  const query = useQuery({ ...rest, queryFn: asked && queryFn ? queryFn : skipToken });
  const { data, error, isPlaceholderData } = query;
  const isOfForm = wish !== undefined && wish === asked;
  // Somebody else has credited it: what is left is read again. The preview itself is not, it would be refused again.
  const isRefused = hasStatus(error, 409);
  useEffect(() => {
    if (isRefused) {
      void queryClient.invalidateQueries({ queryKey: ['invoices', getInvoice.path] });
    }
  }, [isRefused, queryClient]);
  const reasons = error instanceof ApiError ? error.detail : [];
  const refusal =
    isOfForm && reasons.length > 0 ? reasons.map(({ message }) => message).join(' ') : undefined;
  const preview = data && 'credited' in data ? data : undefined;
  const isSettled = isOfForm && preview !== undefined && !isPlaceholderData && !error;
  return {
    preview: wish === undefined || refusal !== undefined ? undefined : preview,
    isSettled,
    isAsking: wish !== undefined && !isSettled && (!isOfForm || !error),
    refusal,
    retry: isOfForm && error && refusal === undefined ? () => void query.refetch() : undefined,
  };
}

/** Placeholder in the query key while nothing valid is filled in. */
const NOTHING: CreditBody = { lines: null, reductions: null, reason: null };
