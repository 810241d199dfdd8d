import type { FastifyInstance } from 'fastify';

import { acceptQuote, declineQuote } from '../../domain/quote/offer.endpoints.ts';
import { quoteParams } from '../../domain/quote/quote.schema.ts';
import type { Context } from '../context.ts';
import { servePdf } from '../document/serve-pdf.ts';
import { AppError } from '../errors.ts';
import { route } from '../platform/http/route.ts';
import { acceptByHand, declineByHand } from './answer-by-hand.service.ts';
import { offerRoutes } from './offer.routes.ts';
import { showConfirmation } from './order-confirmation.service.ts';

/** The customers' answers to quotes: by hand, and at their links. */
export function answerRoutes(app: FastifyInstance, context: Context): void {
  route(app, acceptQuote, async ({ actor, params, body }) =>
    acceptByHand(context, actor, params.quoteUuid, body),
  );
  route(app, declineQuote, async ({ actor, params, body }) =>
    declineByHand(context, actor, params.quoteUuid, body),
  );
  servePdf(app, context, {
    url: '/quotes/:quoteUuid/confirmation/pdf/',
    feature: 'quotes',
    parse: (request) => {
      const params = quoteParams.safeParse(request.params);
      if (!params.success) throw new AppError('not_found');
      return params.data.quoteUuid;
    },
    find: async (actor, uuid, signal) => showConfirmation(context, actor, uuid, signal),
  });
  offerRoutes(app, context);
}
