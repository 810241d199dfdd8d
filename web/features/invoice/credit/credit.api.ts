import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';

import type { CreditBody } from '../../../../domain/invoice/credit.schema.ts';
import { creditInvoice } from '../../../../domain/invoice/credit.endpoints.ts';
import type { Versioned } from '../../../forms/Form.tsx';
import { ask, call } from '../../../lib/client.ts';
import { shouldRetryUnlessRefused } from '../../../lib/query-client.ts';
import { showSuccess } from '../../../lib/toasts.ts';

/** A preview of a credit note; credits nothing. The previous answer is shown until the new one arrives. */
export function creditPlanQuery(invoiceUuid: string, body: CreditBody) {
  const request = { params: { invoiceUuid }, query: { dryRun: 'true' }, body } as const;
  return queryOptions({
    ...ask('invoices', creditInvoice, request),
    retry: shouldRetryUnlessRefused,
    placeholderData: keepPreviousData,
  });
}

/** Credits an invoice or a part of it. The toast of all of it is that of 'Slett faktura'. */
export function useCreditInvoice(invoiceUuid: string) {
  return useMutation({
    mutationFn: async ({ values: body }: Pick<Versioned<CreditBody>, 'values'>) =>
      call(creditInvoice, { params: { invoiceUuid }, query: {}, body }),
    // Not while it is pending: the dialog would show what is left after it.
    meta: { changes: 'invoices', renewal: 'after' },
    onSuccess: (answer, { values: { lines, reductions } }) => {
      if (!('invoiceNumber' in answer)) return;
      const made = `Kreditnota ${answer.invoiceNumber} er laget`;
      if (lines ?? reductions) showSuccess(made);
      else showSuccess('Faktura slettet!', { description: made });
    },
  });
}
