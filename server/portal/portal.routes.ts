import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { validate } from '../../domain/api/validation.ts';
import {
  confirmPortal,
  getInvoiceLink,
  getPortalInvoice,
  getPortalStatement,
  listPortalInvoices,
  renewInvoiceLink,
} from '../../domain/portal/portal.endpoints.ts';
import { portalCodeForm, portalPageQuery } from '../../domain/portal/portal.schema.ts';
import { statementPeriod, statementQuery } from '../../domain/portal/statement.schema.ts';
import { hiddenAddress } from '../company/seller-page.ts';
import type { Context } from '../context.ts';
import { fileHeader, sendLinkFile } from '../document/serve-pdf.ts';
import { AppError } from '../errors.ts';
import { formOf, takeForms } from '../platform/http/link-confirmation.ts';
import { parseQuery, publicRoute, route, untilGone } from '../platform/http/route.ts';
import { beginLinkUse, EMPTY_POLICY, refuseAsPage } from '../platform/http/shared-link.ts';
import * as links from '../invoice-link/invoice-link.service.ts';
import { statementRoutes } from './statement.routes.ts';
import { statementFile } from './statement-file.service.ts';
import { statementOf } from './statement.service.ts';
import { invoicePage, PORTAL_PAGES } from './pages/invoice-page.ts';
import type { Others } from './pages/others-part.ts';
import { confirmByCode } from './portal-code.service.ts';
import {
  CONFIRMATIONS,
  findFile,
  listInvoices,
  requireConfirmed,
  showInvoice,
  visit,
  visitOther,
} from './portal.service.ts';

interface Page {
  Params: { token: string; number?: string; place?: string };
  Querystring: { kode?: unknown; side?: unknown };
  Body: string | undefined;
}
type Request = FastifyRequest<Page>;

interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The links of invoices, the statements of customers, and what is at a link. */
export function portalRoutes(app: FastifyInstance, context: Context): void {
  route(app, getInvoiceLink, async ({ actor, params }) =>
    links.getLink(context, actor, params.invoiceUuid),
  );
  route(app, renewInvoiceLink, async ({ actor, params }) =>
    links.renewLink(context, actor, params.invoiceUuid),
  );
  statementRoutes(app, context);
  dataRoutes(app, context);
  pageRoutes(app, context);
}

/** An invoice's link as data. It reads and sets no session. */
function dataRoutes(app: FastifyInstance, context: Context): void {
  const open = async (token: string, call: Call) => {
    await beginLinkUse(context, call);
    return visit(context, token, CONFIRMATIONS.of(call.request));
  };
  publicRoute(app, getPortalInvoice, async ({ params }, call) => {
    const visited = await open(params.token, call);
    return (await showInvoice(context, visited)).portal;
  });
  publicRoute(app, listPortalInvoices, async ({ params: { token }, query: { page } }, call) =>
    listInvoices(context, await open(token, call), { token, page }),
  );
  publicRoute(app, getPortalStatement, async ({ params, query }, call) => {
    const visited = await open(params.token, call);
    const { companyId } = visited.link;
    return statementOf(context.db, companyId, requireConfirmed(visited), statementPeriod(query));
  });
  publicRoute(app, confirmPortal, async ({ params, body }, call) => {
    await beginLinkUse(context, call);
    await confirm(context, params.token, body.code, call);
    return undefined;
  });
}

/** The page of an invoice's link, and the files below it. */
function pageRoutes(app: FastifyInstance, context: Context): void {
  const ofLink = { config: { feature: 'portal' }, errorHandler: refuseAsPage } as const;
  const page = (path: string, policy: string, handler: Handler) =>
    app.route<Page>({
      method: ['GET', 'HEAD'],
      url: `/kunde/:token/${path}`,
      ...ofLink,
      handler: async (request, reply) => {
        await beginLinkUse(context, { request, reply }, policy);
        return handler(context, request, reply);
      },
    });
  for (const below of ['', 'faktura/:number/']) {
    page(below, PORTAL_PAGES.policy, sendPage);
    page(`${below}dokument/:place/`, EMPTY_POLICY, sendFile);
  }
  page('kontoutskrift.pdf', EMPTY_POLICY, sendStatement);
  takeForms(app, (scope) =>
    scope.route<Page>({
      method: 'POST',
      url: '/kunde/:token/kode/',
      ...ofLink,
      handler: async (request, reply) => {
        await beginLinkUse(context, { request, reply }, PORTAL_PAGES.policy);
        return takeCode(context, request, reply);
      },
    }),
  );
}

type Handler = (context: Context, request: Request, reply: FastifyReply) => Promise<FastifyReply>;

/** The visit of a page: of the link's own invoice, or of another one below it. */
async function visitPage(context: Context, request: Request) {
  const { token, number } = request.params;
  const visited = await visit(context, token, CONFIRMATIONS.of(request));
  return number === undefined ? visited : visitOther(context, visited, number);
}

async function sendPage(
  context: Context,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token, number } = request.params;
  const visited = await visitPage(context, request);
  const shown = await showInvoice(context, visited);
  const home = `/kunde/${token}/`;
  const isOwn = number === undefined;
  const others = isOwn && visited.customer ? await othersOf(context, request, visited) : null;
  const html = invoicePage({ ...shown, others, home: isOwn ? null : home });
  return reply.type('text/html; charset=utf-8').send(html);
}

async function othersOf(
  context: Context,
  { params: { token }, query }: Request,
  visited: Awaited<ReturnType<typeof visit>>,
): Promise<Others> {
  const read = portalPageQuery.safeParse({ page: query.side });
  const page = read.success ? read.data.page : 1;
  const isShown = visited.isConfirmed;
  return {
    base: visited.base,
    hint: hiddenAddress(visited.customer?.address ?? ''),
    step: query.kode === 'feil' ? 'WRONG' : query.kode === 'sendt' ? 'SENT' : 'ASK',
    list: isShown ? await listInvoices(context, visited, { token, page }) : null,
    page,
  };
}

async function sendFile(
  context: Context,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visited = await visitPage(context, request);
  const file = await findFile(context, visited, request.params.place ?? '');
  return sendLinkFile(request, reply, file);
}

/** The statement of a confirmed customer, as a file to save. */
async function sendStatement(
  context: Context,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visited = await visitPage(context, request);
  const customer = requireConfirmed(visited);
  const period = statementPeriod(parseQuery(statementQuery, request.query));
  reply.type('application/pdf');
  if (request.method === 'HEAD') return reply.send();
  const { companyId } = visited.link;
  const name = { customer, period };
  const { content, fileName } = await statementFile(context, companyId, name, untilGone(reply));
  return reply
    .header('content-disposition', fileHeader('attachment', fileName))
    .send(Buffer.from(content));
}

async function confirm(
  context: Context,
  token: string,
  code: string | null,
  { request, reply }: Call,
): Promise<void> {
  const made = await confirmByCode(context, token, code, request.ip);
  if (made !== null) CONFIRMATIONS.keep(context.config, reply, token, made);
}

/** The form of the page: without a code it asks for one. The page has no script, so it is answered by the page again. */
async function takeCode(
  context: Context,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token } = request.params;
  const form = formOf(request);
  const back = async (query: string) => reply.redirect(`/kunde/${token}/${query}`, 303);
  const read = validate(portalCodeForm, form);
  try {
    if (!read.ok) {
      // A wrong link is 404, also with a code that cannot be.
      await visit(context, token, undefined);
      return await back('?kode=feil#fakturaer');
    }
    const { code } = read.value;
    await confirm(context, token, code, { request, reply });
    return await back(code === null ? '?kode=sendt#fakturaer' : '');
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'wrong_code') throw error;
    return back('?kode=feil#fakturaer');
  }
}
