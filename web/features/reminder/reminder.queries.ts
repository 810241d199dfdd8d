import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { DeliveryStatus } from '../../../domain/delivery/delivery.schema.ts';
import {
  createReminder,
  listProposals,
  listReminders,
} from '../../../domain/reminder/reminder.endpoints.ts';
import type { ReminderBody } from '../../../domain/reminder/reminder.schema.ts';
import { call } from '../../lib/client.ts';
import { pollEvery } from '../../lib/poll-every.ts';
import { shouldRetryUnlessRefused } from '../../lib/query-client.ts';

const UNDER_WAY: ReadonlySet<DeliveryStatus | null> = new Set(['PENDING', 'QUEUED']);

const reminderKeys = {
  ofInvoice: (invoiceUuid: string) => ['reminders', 'invoice', invoiceUuid] as const,
  plan: (invoiceUuid: string, wish: ReminderBody) =>
    ['reminders', 'plan', invoiceUuid, wish] as const,
  proposals: (page: number) => ['reminders', 'proposals', page] as const,
};

/** The reminders of an invoice, oldest first. Polled while one is being delivered. */
export function remindersQuery(invoiceUuid: string) {
  return queryOptions({
    queryKey: reminderKeys.ofInvoice(invoiceUuid),
    queryFn: async ({ signal }) => call(listReminders, { params: { invoiceUuid } }, signal),
    refetchInterval: (query) =>
      pollEvery(query, query.state.data?.filter((one) => UNDER_WAY.has(one.deliveryStatus)) ?? []),
  });
}

/**
 * A preview of a reminder; creates nothing. The previous result is shown until the new one arrives. A refusal (409)
 * gives the legal reason in Norwegian.
 */
export function planQuery(invoiceUuid: string, wish: ReminderBody) {
  return queryOptions({
    queryKey: reminderKeys.plan(invoiceUuid, wish),
    queryFn: async ({ signal }) =>
      call(
        createReminder,
        { params: { invoiceUuid }, query: { dryRun: 'true' }, body: wish },
        signal,
      ),
    retry: shouldRetryUnlessRefused,
    placeholderData: keepPreviousData,
  });
}

/** Invoices whose next reminder is due, with the reason when it waits, by page. */
export function proposalsQuery(page: number) {
  return queryOptions({
    queryKey: reminderKeys.proposals(page),
    queryFn: async ({ signal }) => call(listProposals, { query: { page } }, signal),
    placeholderData: keepPreviousData,
  });
}
