import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { validate } from '../../domain/api/validation.ts';
import {
  confirmSharedOverview,
  getSharedOverview,
} from '../../domain/overview/overview.endpoints.ts';
import { sharedCodeForm } from '../../domain/overview/overview-link.schema.ts';
import type { Context } from '../context.ts';
import { AppError, sentenceOf } from '../errors.ts';
import { formOf, takeForms } from '../platform/http/link-confirmation.ts';
import { publicRoute } from '../platform/http/route.ts';
import { beginLinkUse, refuseAsPage } from '../platform/http/shared-link.ts';
import { confirmByCode } from './overview-code.service.ts';
import { codePage, type CodeStep } from './shared-pages/code-page.ts';
import { figuresPage } from './shared-pages/figures-page.ts';
import { OVERVIEW_PAGES } from './shared-pages/page-frame.ts';
import { CONFIRMATIONS, isConfirmed, openLink, openOverview } from './shared-overview.service.ts';

/** The overview of a link, as data and as a page (OVER-10). Neither reads or sets a session. */
export function sharedOverviewRoutes(app: FastifyInstance, context: Context): void {
  publicRoute(app, getSharedOverview, async ({ params }, { request, reply }) => {
    await beginLinkUse(context, { request, reply });
    return openOverview(context, params.token, linkUseOf(request));
  });
  publicRoute(app, confirmSharedOverview, async ({ params, body }, { request, reply }) => {
    await beginLinkUse(context, { request, reply });
    const confirmation = await confirmByCode(context, params.token, body, request.ip);
    if (confirmation !== null)
      CONFIRMATIONS.keep(context.config, reply, params.token, confirmation);
    return undefined;
  });
  servePage(app, context);
}

/** A look at the headers alone is no use of a link. */
function linkUseOf(request: FastifyRequest) {
  return { confirmation: CONFIRMATIONS.of(request), isLook: request.method === 'HEAD' };
}

interface Page {
  Params: { token: string };
  Body: string | undefined;
}

/** The page has no script: its form is answered by a page again. */
function servePage(app: FastifyInstance, context: Context): void {
  const url = '/delt/:token/';
  const ofLink = { config: { feature: 'overview' }, errorHandler: refuseAsPage } as const;
  app.route<Page>({
    method: ['GET', 'HEAD'],
    url,
    ...ofLink,
    handler: async (request, reply) =>
      answerPage(context, request, reply, async () => showFigures(context, request, reply)),
  });
  takeForms(app, (scope) =>
    scope.route<Page>({
      method: 'POST',
      url,
      ...ofLink,
      handler: async (request, reply) =>
        answerPage(context, request, reply, async () => takeForm(context, request, reply)),
    }),
  );
}

/** Every refusal is a page too. */
async function answerPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  await beginLinkUse(context, { request, reply }, OVERVIEW_PAGES.policy);
  return answer();
}

async function showFigures(
  context: Context,
  request: FastifyRequest<Page>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const overview = await openOverview(context, request.params.token, linkUseOf(request));
    return await sendPage(reply, figuresPage(overview));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'address_unconfirmed') throw error;
    return sendPage(reply.status(403), codePage({ asks: 'ADDRESS', fault: null }));
  }
}

/** Takes an address, and then its code. */
async function takeForm(
  context: Context,
  request: FastifyRequest<Page>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token } = request.params;
  const link = await openLink(context, token);
  const figures = async () => reply.redirect(`/delt/${token}/`, 303);
  const form = formOf(request);
  const asks = form['code'] === undefined ? 'ADDRESS' : 'CODE';
  const read = validate(sharedCodeForm, form);
  const isEmpty = read.ok && read.value[asks === 'CODE' ? 'code' : 'email'] === null;
  if (!read.ok || isEmpty) return refuseForm(reply, { asks, fault: FAULTS[asks] });
  try {
    const confirmation = await confirmByCode(context, token, read.value, request.ip);
    if (confirmation === null)
      return await sendPage(reply, codePage({ asks: 'CODE', fault: null }));
    CONFIRMATIONS.keep(context.config, reply, token, confirmation);
    return await figures();
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'not_found') throw error;
    // The button was pressed twice: the first press used up the code.
    if (isConfirmed(context.config.secretKey, link, CONFIRMATIONS.of(request))) return figures();
    return refuseForm(reply, { asks, fault: sentenceOf(error, 'nb') });
  }
}

const FAULTS = {
  ADDRESS: 'Skriv en gyldig e-postadresse',
  CODE: 'Koden har seks tegn',
} as const;

function refuseForm(reply: FastifyReply, step: CodeStep): FastifyReply {
  return sendPage(reply.status(400), codePage(step));
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page);
}
