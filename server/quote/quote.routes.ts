import type { FastifyInstance } from 'fastify';

import * as endpoints from '../../domain/quote/quote.endpoints.ts';
import { quoteParams } from '../../domain/quote/quote.schema.ts';
import type { Context } from '../context.ts';
import { servePdf } from '../document/serve-pdf.ts';
import { AppError } from '../errors.ts';
import { route } from '../platform/http/route.ts';
import { answerRoutes } from './answer.routes.ts';
import { quoteAttachmentRoutes } from './quote-attachment.routes.ts';
import * as drafts from './quote-drafts.service.ts';
import * as invoices from './quote-invoice.service.ts';
import { listQuotes } from './quote-list.service.ts';
import * as sending from './quote-sending.service.ts';

/** Quotes. */
export function quoteRoutes(app: FastifyInstance, context: Context): void {
  route(app, endpoints.listQuotes, async ({ actor, query }) => listQuotes(context, actor, query));
  route(app, endpoints.createQuote, async ({ actor, body }) =>
    drafts.createQuote(context, actor, body),
  );
  route(app, endpoints.getQuote, async ({ actor, params }) =>
    drafts.getQuote(context, actor, params.quoteUuid),
  );
  route(app, endpoints.updateQuote, async ({ actor, params, body }) =>
    drafts.updateQuote(context, actor, params.quoteUuid, body),
  );
  route(app, endpoints.deleteQuote, async ({ actor, params }) => {
    await drafts.deleteQuote(context, actor, params.quoteUuid);
    return undefined;
  });
  route(app, endpoints.getQuoteHistory, async ({ actor, params }) =>
    drafts.getQuoteHistory(context, actor, params.quoteUuid),
  );
  route(app, endpoints.invoiceQuote, async ({ actor, params, body }) =>
    invoices.invoiceQuote(context, actor, params.quoteUuid, body),
  );
  route(app, endpoints.sendQuote, async ({ actor, params, body }) =>
    sending.sendQuote(context, actor, params.quoteUuid, body),
  );
  route(app, endpoints.reviseQuote, async ({ actor, params }) =>
    sending.reviseQuote(context, actor, params.quoteUuid),
  );
  route(app, endpoints.withdrawQuote, async ({ actor, params }) =>
    sending.withdrawQuote(context, actor, params.quoteUuid),
  );
  answerRoutes(app, context);
  quoteAttachmentRoutes(app, context);
  servePdf(app, context, {
    url: '/quotes/:quoteUuid/pdf/',
    feature: 'quotes',
    parse: (request) => {
      const parsed = quoteParams.safeParse(request.params);
      if (!parsed.success) throw new AppError('not_found');
      return parsed.data.quoteUuid;
    },
    find: async (actor, uuid, signal) => sending.showQuotePdf(context, actor, uuid, signal),
  });
}
