import type { FastifyInstance } from 'fastify';

import {
  signUpForNewsletter,
  unsubscribeFromEmails,
  unsubscribeFromNewsletter,
} from '../../domain/newsletter/newsletter.endpoints.ts';
import type { Context } from '../context.ts';
import { publicRoute } from '../http/route.ts';
import * as newsletter from './newsletter.service.ts';

/** The newsletter. It is the only list so far, so both ways to unsubscribe end it. */
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
 * A mail program that knows RFC 2369 and not RFC 8058 opens the address in a browser: it leads to the page with
 * the button. Scanners of mail open it too, so that ends nothing by itself.
 */
function leadToPage(app: FastifyInstance, path: string): void {
  app.get<{ Querystring: { token?: unknown } }>(path, async ({ query: { token } }, reply) => {
    const query = typeof token === 'string' && token ? `?token=${encodeURIComponent(token)}` : '';
    return reply.redirect(`/emails/unsubscribe/${query}`, 303);
  });
}
