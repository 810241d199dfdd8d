import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { emailForm, ownSession, ownSessionParams, session, verifyBody } from './session.schema.ts';

export const registerEmail = defineEndpoint({
  id: 'registerEmail',
  method: 'POST',
  path: '/api/users/register/email/',
  summary: 'Mail a code and a link that open a new account',
  access: 'public',
  body: emailForm,
  errors: [404, 429],
});

export const loginEmail = defineEndpoint({
  id: 'loginEmail',
  method: 'POST',
  path: '/api/users/login/email/',
  summary: 'Mail a login code and link; the answer is the same for unknown addresses',
  access: 'public',
  body: emailForm,
  errors: [429],
});

export const verifyLogin = defineEndpoint({
  id: 'verifyLogin',
  method: 'POST',
  path: '/api/users/login/verify/',
  summary: 'Exchange a mailed code or link for a session cookie',
  access: 'public',
  body: verifyBody,
  response: session,
  setsSession: true,
  errors: [429],
});

export const getSession = defineEndpoint({
  id: 'getSession',
  method: 'GET',
  path: '/api/users/session/',
  summary: 'Who is logged in',
  access: 'account',
  response: session,
});

export const logout = defineEndpoint({
  id: 'logout',
  method: 'GET',
  path: '/api/users/logout/',
  summary: 'End the session; nothing happens without one',
  access: 'public',
  setsSession: true,
  errors: [403],
});

export const listSessions = defineEndpoint({
  id: 'listSessions',
  method: 'GET',
  path: '/api/users/sessions/',
  summary: 'Where the account is logged in: this session first, then the last seen',
  access: 'account',
  sessionOnly: true,
  feature: 'security',
  response: z.array(ownSession),
});

export const endSession = defineEndpoint({
  id: 'endSession',
  method: 'DELETE',
  path: '/api/users/sessions/{uuid}/',
  summary: 'End a session of the account, also this one: its next call is 401',
  access: 'account',
  sessionOnly: true,
  feature: 'security',
  params: ownSessionParams,
  setsSession: true,
  errors: [404],
});

export const endOtherSessions = defineEndpoint({
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/users/sessions/',
  summary: 'End all sessions of the account but this one',
  access: 'account',
  sessionOnly: true,
  feature: 'security',
});
