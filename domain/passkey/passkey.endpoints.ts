import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { session } from '../session/session.schema.ts';
import {
  creationOptions,
  newPasskey,
  passkey,
  passkeyForm,
  passkeyLogin,
  passkeyParams,
  requestOptions,
} from './passkey.schema.ts';

export const getPasskeyOptions = defineEndpoint({
  id: 'getPasskeyOptions',
  method: 'POST',
  path: '/api/users/passkeys/options/',
  summary: 'What the browser makes a passkey with; its challenge works once, for five minutes',
  access: 'account',
  sessionOnly: true,
  proof: true,
  feature: 'passkeys',
  response: creationOptions,
  errors: [409],
});

export const addPasskey = defineEndpoint({
  id: 'addPasskey',
  method: 'POST',
  path: '/api/users/passkeys/',
  summary: 'Add the passkey that the browser made',
  access: 'account',
  sessionOnly: true,
  proof: true,
  feature: 'passkeys',
  body: newPasskey,
  response: passkey,
  status: 201,
  errors: [409, 429],
});

export const listPasskeys = defineEndpoint({
  id: 'listPasskeys',
  method: 'GET',
  path: '/api/users/passkeys/',
  summary: 'The passkeys of the account, oldest first',
  access: 'account',
  sessionOnly: true,
  feature: 'passkeys',
  response: z.array(passkey),
});

export const renamePasskey = defineEndpoint({
  id: 'renamePasskey',
  method: 'PUT',
  path: '/api/users/passkeys/{uuid}/',
  summary: 'Give a passkey another name',
  access: 'account',
  sessionOnly: true,
  feature: 'passkeys',
  params: passkeyParams,
  body: passkeyForm,
  response: passkey,
  errors: [404],
});

export const deletePasskey = defineEndpoint({
  id: 'deletePasskey',
  method: 'DELETE',
  path: '/api/users/passkeys/{uuid}/',
  summary: 'Remove a passkey; the code by mail always logs in',
  access: 'account',
  sessionOnly: true,
  proof: true,
  feature: 'passkeys',
  params: passkeyParams,
  errors: [404],
});

export const getLoginOptions = defineEndpoint({
  id: 'getLoginOptions',
  method: 'POST',
  path: '/api/users/login/passkey/options/',
  summary:
    'What the browser uses a passkey with to log in; the challenge works once, for five minutes',
  access: 'public',
  feature: 'passkeys',
  response: requestOptions,
});

export const loginWithPasskey = defineEndpoint({
  id: 'loginWithPasskey',
  method: 'POST',
  path: '/api/users/login/passkey/',
  summary: 'Log in with a passkey; every refusal has the same words',
  access: 'public',
  feature: 'passkeys',
  body: passkeyLogin,
  response: session,
  setsSession: true,
  errors: [429],
});

export const getProofOptions = defineEndpoint({
  id: 'getProofOptions',
  method: 'POST',
  path: '/api/users/prove/options/',
  summary:
    'What the browser uses one of the account’s passkeys with to prove the session; 409 without any',
  access: 'account',
  sessionOnly: true,
  feature: 'passkeys',
  response: requestOptions,
  errors: [409],
});
