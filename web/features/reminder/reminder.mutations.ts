import { useMutation } from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import {
  createReminder,
  deliverReminder,
  disputeInvoice,
  sendReminders,
  waiveReminders,
} from '../../../domain/reminder/reminder.endpoints.ts';
import { call } from '../../lib/client.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { showSuccess } from '../../lib/toasts.ts';

/** Reminds of an invoice: by mail, or on paper where the customer has no address. */
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

/** Mails a reminder again whose delivery failed, to the customer's present address. */
export function useDeliverReminder(invoiceUuid: string) {
  return useMutation({
    mutationFn: async (reminderUuid: string) =>
      call(deliverReminder, { params: { invoiceUuid, reminderUuid }, body: {} }),
    meta: { changes: 'reminders' },
    onSuccess: () => showSuccess('Purring lagt til utsending'),
  });
}

/** Notes that the customer disputes an invoice, or no longer does. */
export function useDisputeInvoice(invoiceUuid: string) {
  return useMutation({
    mutationFn: async ({
      values: body,
    }: Pick<Saved<RequestOf<typeof disputeInvoice>['body']>, 'values'>) =>
      call(disputeInvoice, { params: { invoiceUuid }, body }),
    meta: { changes: 'reminders' },
    onSuccess: ({ disputed }) =>
      showSuccess(disputed ? 'Faktura merket som bestridt' : 'Fakturaen er ikke lenger bestridt'),
  });
}

/** Waives what is left of fees and interest. */
export function useWaiveReminders(invoiceUuid: string) {
  return useMutation({
    mutationFn: async () => call(waiveReminders, { params: { invoiceUuid } }),
    meta: { changes: 'reminders' },
    onSuccess: () => showSuccess('Gebyr og renter er ettergitt'),
  });
}

/** Sends the reminders that are proposed for these invoices. The screen tells what came of it. */
export function useSendReminders() {
  return useMutation({
    mutationFn: async (uuids: readonly string[]) =>
      call(sendReminders, { body: { uuids: [...uuids] } }),
    meta: { changes: 'reminders' },
  });
}
