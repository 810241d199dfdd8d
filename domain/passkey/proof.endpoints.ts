import { defineEndpoint } from '../api/endpoint.ts';
import { session } from '../session/session.schema.ts';
import { proofBody } from './proof.schema.ts';

export const mailProofCode = defineEndpoint({
  id: 'mailProofCode',
  method: 'POST',
  path: '/api/users/prove/email/',
  summary: 'Mail a code that proves this session, and does nothing else',
  access: 'account',
  sessionOnly: true,
  feature: 'security',
});

export const prove = defineEndpoint({
  id: 'prove',
  method: 'POST',
  path: '/api/users/prove/',
  summary: 'Prove this session for ten minutes, by a mailed code or a passkey',
  access: 'account',
  sessionOnly: true,
  feature: 'security',
  body: proofBody,
  response: session,
  errors: [429],
});
