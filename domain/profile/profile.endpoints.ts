import { defineEndpoint } from '../api/endpoint.ts';
import { profile, profileForm } from './profile.schema.ts';

export const getProfile = defineEndpoint({
  id: 'getProfile',
  method: 'GET',
  path: '/api/users/profile/',
  summary: 'The company of the logged-in account',
  access: 'session',
  response: profile,
});

export const updateProfile = defineEndpoint({
  id: 'updateProfile',
  method: 'POST',
  path: '/api/users/update/',
  summary: 'Save the company; the start number is fixed once an invoice exists',
  access: 'session',
  body: profileForm,
  response: profile,
  errors: [409],
});
