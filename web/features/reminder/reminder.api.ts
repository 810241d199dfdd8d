import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import type { DeliveryStatus } from '../../../domain/delivery/delivery.schema.ts';
import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import {
  createReminder,
  deliverReminder,
  disputeInvoice,
  listProposals,
  listReminders,
  sendReminders,
  waiveReminders,
} from '../../../domain/reminder/reminder.endpoints.ts';
import type { ReminderBody } from '../../../domain/reminder/reminder.schema.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { deliveryInterval } from '../../lib/delivery-interval.ts';
import { shouldRetryUnlessRefused } from '../../lib/query-client.ts';
import { showSuccess } from '../../lib/toasts.ts';

const UNDER_WAY: ReadonlySet<DeliveryStatus | null> = new Set(['PENDING', 'QUEUED']);

/** The reminders of an invoice, oldest first. Polled while one is being delivered. */
export function remindersQuery(invoiceUuid: string) {
  return queryOptions({
    ...ask('reminders', listReminders, { params: { invoiceUuid } }),
    refetchInterval: ({ state: { data } }) =>
      data?.some((one) => UNDER_WAY.has(one.deliveryStatus)) && deliveryInterval(data),
  });
}

/**
 * A preview of a reminder; creates nothing. The previous result is shown until the new one arrives. A refusal (409)
 * gives the legal reason in Norwegian.
 */
export function planQuery(invoiceUuid: string, wish: ReminderBody) {
  const request = { params: { invoiceUuid }, query: { dryRun: 'true' }, body: wish } as const;
  return queryOptions({
    ...ask('reminders', createReminder, request),
    retry: shouldRetryUnlessRefused,
    placeholderData: keepPreviousData,
  });
}

/** Invoices whose next reminder is due, with the reason when it waits, by page. */
export function proposalsQuery(page: number) {
  const asked = ask('reminders', listProposals, { query: { page } });
  return queryOptions({ ...asked, placeholderData: keepPreviousData });
}

/** Creates a reminder: sent by mail, or printed when the customer has no e-mail address. */
export function useCreateReminder(invoiceUuid: string) {
  return useMutation({
    mutationFn: async (body: RequestOf<typeof createReminder>['body']) =>
      call(createReminder, { params: { invoiceUuid }, query: {}, body }),
    meta: { changes: 'reminders' },
    onSuccess: ({ kind, deliveryStatus }) =>
      showSuccess(
        deliveryStatus === null
          ? `${REMINDER_NAMES[kind]} laget, klar til utskrift`
          : `${REMINDER_NAMES[kind]} lagt til utsending`,
      ),
  });
}

interface Resent {
  readonly reminderUuid: string;
  /** The address; the customer's current one without. */
  readonly recipient?: string | undefined;
}

/** Sends a failed reminder again. */
export function useDeliverReminder(invoiceUuid: string) {
  return useMutation({
    mutationFn: async ({ reminderUuid, recipient }: Resent) =>
      call(deliverReminder, { params: { invoiceUuid, reminderUuid }, body: { recipient } }),
    meta: { changes: 'reminders' },
    onSuccess: () => showSuccess('Purring lagt til utsending'),
  });
}

/** Marks an invoice as disputed, or ends the dispute. */
export function useDisputeInvoice(invoiceUuid: string) {
  return useMutation({
    mutationFn: async ({
      values: body,
    }: Pick<Versioned<RequestOf<typeof disputeInvoice>['body']>, 'values'>) =>
      call(disputeInvoice, { params: { invoiceUuid }, body }),
    meta: { changes: 'reminders' },
    onSuccess: ({ disputed }) =>
      showSuccess(disputed ? 'Faktura merket som bestridt' : 'Fakturaen er ikke lenger bestridt'),
  });
}

export function useWaiveReminders(invoiceUuid: string) {
  return useMutation({
    mutationFn: async () => call(waiveReminders, { params: { invoiceUuid } }),
    meta: { changes: 'reminders' },
    onSuccess: () => showSuccess('Gebyr og renter er ettergitt'),
  });
}

/** Sends the proposed reminders of these invoices. No toast: the screen shows the result. */
export function useSendReminders() {
  return useMutation({
    mutationFn: async (uuids: readonly string[]) =>
      call(sendReminders, { body: { uuids: [...uuids] } }),
    meta: { changes: 'reminders' },
  });
}
