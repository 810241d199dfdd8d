import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import {
  LOGO_BYTES_MAX,
  LOGO_TYPES,
  profile,
  profileForm,
  profileFormWithVat,
} from './profile.schema.ts';

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
