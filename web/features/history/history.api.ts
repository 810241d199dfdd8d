import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { getInvoiceHistory } from '../../../domain/history/history.endpoints.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { ask } from '../../lib/client.ts';

/**
 * The history of an invoice. Its key contains the statuses, so a status change fetches it again.
 *
 * @param reminded the delivery statuses of the invoice's reminders, which its history contains too
 */
export function historyQuery(
  { uuid, status, deliveries }: Invoice,
  reminded: readonly (string | null)[] = [],
) {
  const state = [status, ...deliveries.map((delivery) => delivery.status), ...reminded].join();
  const asked = ask('invoices', getInvoiceHistory, { params: { invoiceStr: uuid } }, state);
  return queryOptions({ ...asked, placeholderData: keepPreviousData });
}
