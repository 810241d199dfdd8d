import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { CreditBody, CreditTrial } from '../../../../domain/invoice/credit.schema.ts';
import { getInvoice } from '../../../../domain/invoice/invoice.endpoints.ts';
import { hasStatus } from '../../../lib/api-error.ts';
import { usePreview, type Preview } from '../../../ui/usePreview.ts';
import { creditPlanQuery } from './credit.api.ts';

const NOTHING: CreditBody = { lines: null, reductions: null, reason: null };

/** The preview of a crediting. @param body what the form says; undefined while it is not valid */
export function useCreditPlan(
  invoiceUuid: string,
  body: CreditBody | undefined,
): Preview<CreditTrial> {
  const queryClient = useQueryClient();
  const plan = usePreview(
    // The reason changes no sum.
    body && { ...body, reason: null },
    NOTHING,
    (wish) => creditPlanQuery(invoiceUuid, wish),
    (answer): answer is CreditTrial => 'credited' in answer,
  );
  // Somebody else has credited it: what is left is read again. The preview itself is not, it would be refused again.
  const isRefused = hasStatus(plan.error, 409);
  useEffect(() => {
    if (isRefused) {
      void queryClient.invalidateQueries({ queryKey: ['invoices', getInvoice.path] });
    }
  }, [isRefused, queryClient]);
  return plan;
}
