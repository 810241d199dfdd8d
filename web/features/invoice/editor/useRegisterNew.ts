import { useMutation } from '@tanstack/react-query';

import { BULK_MAX } from '../../../../domain/invoice/invoice-bulk.schema.ts';
import { queueInvoices } from '../../../../domain/invoice/invoice.endpoints.ts';
import type { CreatedDrafts, QueueResult } from '../../../../domain/invoice/invoice.schema.ts';
import { call } from '../../../lib/client.ts';
import { showCount } from '../../../lib/count.ts';
import { showSuccess, showToast } from '../../../lib/toasts.ts';

const REASONS_MAX = 3;

/**
 * Registers drafts that were just made, in the order of their making. Those that are skipped, or not reached because
 * of an error, remain drafts, and a toast on the next screen says why.
 */
export function useRegisterNew() {
  return useMutation({
    mutationFn: async (drafts: CreatedDrafts) => {
      const results: QueueResult[] = [];
      for (let first = 0; first < drafts.length; first += BULK_MAX) {
        const uuids = drafts.slice(first, first + BULK_MAX).map(({ uuid }) => uuid);
        results.push(await call(queueInvoices, { query: {}, body: { uuids } }));
      }
      return results.flatMap(({ skipped }) => skipped);
    },
    meta: { changes: 'invoices', isShownInPlace: true },
    onSuccess: (skipped, drafts) => {
      if (skipped.length < drafts.length) {
        showSuccess('Fakturaer lagt til utsending', { follows: true });
      }
      if (skipped.length === 0) return;
      const reasons = skipped
        .slice(0, REASONS_MAX)
        .map(({ customerName, message }) => `${customerName}: ${message}`);
      showToast({
        tone: 'error',
        title: `${showCount(skipped.length)} utkast står igjen`,
        description: [...reasons, ...(skipped.length > REASONS_MAX ? ['…'] : [])].join(', '),
        follows: true,
      });
    },
    onError: () =>
      showToast({
        tone: 'error',
        title: 'Ikke registrert og sendt',
        description: 'Alt du skrev, er lagret som utkast. Prøv igjen fra listen.',
        follows: true,
      }),
  });
}
