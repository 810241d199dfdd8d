import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import { emailForm } from '../session/session.schema.ts';
import { requiredText } from '../text.ts';

const tokenQuery = z.object({ token: requiredText() });

export const signUpForNewsletter = defineEndpoint({
  id: 'signUpForNewsletter',
  method: 'POST',
  path: '/api/newsletter/signup/',
  summary: 'Subscribe an address to the newsletter; doing it again changes nothing',
  access: 'public',
  query: emailForm,
  errors: [429],
});

export const unsubscribeFromNewsletter = defineEndpoint({
  id: 'unsubscribeFromNewsletter',
  method: 'POST',
  path: '/api/newsletter/unsubscribe/',
  summary: 'End a subscription to the newsletter (RFC 8058 one-click)',
  access: 'public',
  query: tokenQuery,
  errors: [404, 429],
  crossOrigin: true,
});

export const unsubscribeFromEmails = defineEndpoint({
  id: 'unsubscribeFromEmails',
  method: 'POST',
  path: '/api/emails/unsubscribe/',
  summary: 'End whichever mails a token belongs to (RFC 8058 one-click)',
  access: 'public',
  query: tokenQuery,
  errors: [404, 429],
  crossOrigin: true,
});
