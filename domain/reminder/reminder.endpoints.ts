import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { delivery } from '../delivery/delivery.schema.ts';
import { invoice, invoiceUuidParams } from '../invoice/invoice.schema.ts';
import { dryRunQuery } from '../api/validation.ts';
import {
  disputeBody,
  madeReminder,
  proposal,
  proposalQuery,
  listedReminder,
  reminderBody,
  reminderDeliveryBody,
  reminderParams,
  reminderPreviewQuery,
  sendRemindersBody,
  sentReminders,
} from './reminder.schema.ts';

export const listReminders = defineEndpoint({
  id: 'listReminders',
  method: 'GET',
  path: '/api/invoices/{invoiceUuid}/reminders/',
  summary: 'The reminders of an invoice, in their order',
  permission: 'see',
  feature: 'reminders',
  params: invoiceUuidParams,
  response: z.array(listedReminder),
  errors: [404],
});

export const createReminder = defineEndpoint({
  id: 'createReminder',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/reminders/',
  summary:
    'Remind of an invoice that is past due: by mail, or to be printed where the customer has no ' +
    'address. With dry_run nothing is made, and the answer is what it would be',
  permission: 'payments',
  feature: 'reminders',
  params: invoiceUuidParams,
  query: dryRunQuery,
  body: reminderBody,
  response: madeReminder,
  status: 201,
  statusOfDryRun: 200,
  errors: [404, 409],
});

export const previewReminder = defineEndpoint({
  id: 'previewReminder',
  method: 'GET',
  path: '/api/invoices/{invoiceUuid}/reminders/preview/',
  summary: 'The PDF that such a reminder would have, marked as a draft',
  permission: 'see',
  feature: 'reminders',
  params: invoiceUuidParams,
  query: reminderPreviewQuery,
  response: z.custom<Uint8Array>(),
  contentType: 'application/pdf',
  errors: [404, 409, 429],
});

export const deliverReminder = defineEndpoint({
  id: 'deliverReminder',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/reminders/{reminderUuid}/deliveries/',
  summary: 'Mail a reminder again, at most five times an hour: the same document',
  permission: 'payments',
  feature: 'reminders',
  params: reminderParams,
  body: reminderDeliveryBody,
  response: delivery,
  status: 201,
  errors: [404, 409, 429],
});

export const waiveReminders = defineEndpoint({
  id: 'waiveReminders',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/reminders/waive/',
  summary: 'Waive what is left of the fees and the interest that reminders of an invoice ask for',
  permission: 'payments',
  feature: 'reminders',
  params: invoiceUuidParams,
  response: invoice,
  errors: [404],
});

export const disputeInvoice = defineEndpoint({
  id: 'disputeInvoice',
  method: 'POST',
  path: '/api/invoices/{invoiceUuid}/dispute/',
  summary: 'Note that the customer disputes an invoice, which stops its reminders, or no longer',
  permission: 'payments',
  feature: 'reminders',
  params: invoiceUuidParams,
  body: disputeBody,
  response: invoice,
  errors: [404, 409],
});

export const listProposals = defineEndpoint({
  id: 'listProposals',
  method: 'GET',
  path: '/api/reminders/proposals/',
  summary:
    'The invoices whose next reminder is due by the settings of the company, and why some of them wait',
  permission: 'see',
  feature: 'reminders',
  query: proposalQuery,
  response: z.array(proposal),
});

export const sendReminders = defineEndpoint({
  id: 'sendReminders',
  method: 'POST',
  path: '/api/reminders/send/',
  summary: 'Send the reminders that are proposed for these invoices, at most 1000',
  permission: 'payments',
  feature: 'reminders',
  body: sendRemindersBody,
  makes: true,
  response: sentReminders,
});
