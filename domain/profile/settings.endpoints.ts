import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { kidAgreement, kidAgreementForm } from './kid-agreement.schema.ts';
import { portalSettings } from './portal-settings.schema.ts';
import { reminderSettings, reminderSettingsForm } from './reminder-settings.schema.ts';

export const getKidAgreement = defineEndpoint({
  id: 'getKidAgreement',
  method: 'GET',
  path: '/api/users/kid-agreement/',
  summary: 'The agreement with the bank that new invoices get their KID by',
  permission: 'see',
  feature: 'payments',
  response: z.nullable(kidAgreement),
});

export const saveKidAgreement = defineEndpoint({
  id: 'saveKidAgreement',
  method: 'PUT',
  path: '/api/users/kid-agreement/',
  summary: 'Enter or change it. What was registered before keeps its KID and its account',
  permission: 'profile',
  proof: true,
  feature: 'payments',
  body: kidAgreementForm,
  response: kidAgreement,
  errors: [409],
});

export const deleteKidAgreement = defineEndpoint({
  id: 'deleteKidAgreement',
  method: 'DELETE',
  path: '/api/users/kid-agreement/',
  summary: 'End it: new invoices get the KID and the account that they get without one',
  permission: 'profile',
  proof: true,
  feature: 'payments',
});

export const getReminderSettings = defineEndpoint({
  id: 'getReminderSettings',
  method: 'GET',
  path: '/api/users/reminder-settings/',
  summary: 'When and how late invoices are reminded of; what is proposed before it was saved',
  permission: 'see',
  feature: 'reminders',
  response: reminderSettings,
});

export const saveReminderSettings = defineEndpoint({
  id: 'saveReminderSettings',
  method: 'PUT',
  path: '/api/users/reminder-settings/',
  summary: 'Save when and how late invoices are reminded of, within what the law allows',
  permission: 'profile',
  feature: 'reminders',
  body: reminderSettingsForm,
  response: reminderSettings,
  errors: [409],
});

export const getPortalSettings = defineEndpoint({
  id: 'getPortalSettings',
  method: 'GET',
  path: '/api/users/portal-settings/',
  summary:
    "Whether invoices have a page for the customer, and whether it leads to the customer's others",
  permission: 'see',
  feature: 'portal',
  response: portalSettings,
});

export const savePortalSettings = defineEndpoint({
  id: 'savePortalSettings',
  method: 'PUT',
  path: '/api/users/portal-settings/',
  summary:
    'Turn the pages for customers on or off. While they are off, their links answer as wrong ones',
  permission: 'profile',
  feature: 'portal',
  body: portalSettings,
  response: portalSettings,
});
