import type { FastifyInstance } from 'fastify';

import {
  signUpForNewsletter,
  unsubscribeFromEmails,
  unsubscribeFromNewsletter,
} from '../../domain/newsletter/newsletter.endpoints.ts';
import type { Context } from '../context.ts';
import { publicRoute } from '../platform/http/route.ts';
import * as newsletter from './newsletter.service.ts';

/** The newsletter. It is the only mailing list so far, so both ways to unsubscribe end it. */
export function newsletterRoutes(app: FastifyInstance, context: Context): void {
  publicRoute(app, signUpForNewsletter, async ({ query }, { request }) => {
    await newsletter.signUp(context, query.email, request.ip);
    return undefined;
  });
  for (const endpoint of [unsubscribeFromNewsletter, unsubscribeFromEmails]) {
    publicRoute(app, endpoint, async ({ query }) => {
      await newsletter.unsubscribe(context, query.token);
      return undefined;
    });
    leadToPage(app, endpoint.path);
  }
}

/**
 * A mail program that knows RFC 2369 but not RFC 8058 opens the URL in a browser, which shows the page with the
 * button. Mail scanners open it too, so opening must not end the subscription.
 */
function leadToPage(app: FastifyInstance, path: string): void {
  app.get<{ Querystring: { token?: unknown } }>(path, async ({ query: { token } }, reply) => {
    const query = typeof token === 'string' && token ? `?token=${encodeURIComponent(token)}` : '';
    return reply.redirect(`/emails/unsubscribe/${query}`, 303);
  });
}
