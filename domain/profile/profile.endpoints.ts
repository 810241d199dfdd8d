import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import {
  kidAgreement,
  kidAgreementForm,
  LOGO_BYTES_MAX,
  LOGO_TYPES,
  profile,
  profileForm,
  profileFormWithVat,
} from './profile.schema.ts';
import { reminderSettings, reminderSettingsForm } from './reminder-settings.schema.ts';

export const getProfile = defineEndpoint({
  id: 'getProfile',
  method: 'GET',
  path: '/api/users/profile/',
  summary: 'The company of the logged-in account',
  permission: 'see',
  response: profile,
});

export const updateProfile = defineEndpoint({
  id: 'updateProfile',
  method: 'POST',
  path: '/api/users/update/',
  summary: 'Save the company; the start number is fixed once an invoice exists',
  permission: 'profile',
  body: profileForm,
  bodyFor: (features) => (features.has('vat') ? profileFormWithVat : profileForm),
  response: profile,
  errors: [409],
});

export const getLogo = defineEndpoint({
  id: 'getLogo',
  method: 'GET',
  path: '/api/users/logo/',
  summary: 'The logo that new documents get, as PNG; its ETag says whether it is another',
  permission: 'see',
  response: z.nullable(z.instanceof(Uint8Array<ArrayBufferLike>)),
  contentType: 'image/png',
});

export const saveLogo = defineEndpoint({
  id: 'saveLogo',
  method: 'PUT',
  path: '/api/users/logo/',
  summary: 'Send a PNG or JPEG to be the logo. What was issued before keeps the one it has',
  permission: 'profile',
  upload: LOGO_BYTES_MAX,
  uploadTypes: LOGO_TYPES,
  response: profile,
});

export const deleteLogo = defineEndpoint({
  id: 'deleteLogo',
  method: 'DELETE',
  path: '/api/users/logo/',
  summary: 'New documents get no logo',
  permission: 'profile',
});

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
