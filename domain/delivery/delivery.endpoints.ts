import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { defineEndpoint } from '../api/endpoint.ts';

/** An Amazon SNS envelope. Anything else, and anything unsigned, gets the same 403. */
const snsEnvelope = described(z.unknown(), { type: 'object' });

export const reportBounce = defineEndpoint({
  id: 'reportBounce',
  method: 'POST',
  path: '/api/emails/bounces/',
  summary: 'Amazon SES bounce notifications through SNS, signed',
  access: 'public',
  body: snsEnvelope,
  errors: [403],
  crossOrigin: true,
});

export const reportComplaint = defineEndpoint({
  id: 'reportComplaint',
  method: 'POST',
  path: '/api/emails/complaints/',
  summary: 'Amazon SES complaint notifications through SNS, signed',
  access: 'public',
  body: snsEnvelope,
  errors: [403],
  crossOrigin: true,
});
