import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { validate } from '../../domain/api/validation.ts';
import {
  confirmSharedOverview,
  getSharedOverview,
} from '../../domain/overview/overview.endpoints.ts';
import { sharedCodeForm } from '../../domain/overview/overview-link.schema.ts';
import type { Context } from '../context.ts';
import { AppError, sentenceOf } from '../errors.ts';
import { publicRoute } from '../platform/http/route.ts';
import { countLinkUse, LINK_HEADERS, refuseAsPage } from '../platform/http/shared-link.ts';
import { confirmByCode } from './link-code.service.ts';
import { codePage, type CodeStep } from './shared-pages/code-page.ts';
import { figuresPage } from './shared-pages/figures-page.ts';
import { PAGE_POLICY } from './shared-pages/page-frame.ts';
import { CONFIRMED_DAYS, openLink, openOverview } from './shared-overview.service.ts';

/** Says that a browser was confirmed. It is no session: it opens one link. */
const COOKIE = 'faktur_delt';
const FORM = 'application/x-www-form-urlencoded';
/** Bytes of a form with an address or a code. */
const LARGEST_FORM = 4096;
const SECONDS_A_DAY = 24 * 60 * 60;

/** The overview of a link, as data and as a page (OVER-10). Neither reads or sets a session. */
export function sharedOverviewRoutes(app: FastifyInstance, context: Context): void {
  publicRoute(app, getSharedOverview, async ({ params }, { request, reply }) => {
    reply.headers(LINK_HEADERS);
    await countLinkUse(context.db, request);
    return openOverview(context, params.token, linkUseOf(request));
  });
  publicRoute(app, confirmSharedOverview, async ({ params, body }, { request, reply }) => {
    reply.headers(LINK_HEADERS);
    await countLinkUse(context.db, request);
    const confirmation = await confirmByCode(context, params.token, body, request.ip);
    if (confirmation !== null) keepConfirmation(context, reply, params.token, confirmation);
    return undefined;
  });
  servePage(app, context);
}

/** A look at the headers alone is no use of a link. */
function linkUseOf({ cookies, method }: FastifyRequest) {
  return { confirmation: cookies[COOKIE], isLook: method === 'HEAD' };
}

/** The page has another path than the data, and a cookie has one path: it is set for each. */
function keepConfirmation(
  { config }: Pick<Context, 'config'>,
  reply: FastifyReply,
  token: string,
  confirmation: string,
): void {
  for (const path of [`/api/shared/${token}/`, `/delt/${token}/`]) {
    reply.setCookie(COOKIE, confirmation, {
      path,
      httpOnly: true,
      sameSite: 'lax',
      secure: config.publicUrl.startsWith('https:'),
      maxAge: CONFIRMED_DAYS * SECONDS_A_DAY,
    });
  }
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
  app.register((scope, _options, done) => {
    const parser = { parseAs: 'string', bodyLimit: LARGEST_FORM } as const;
    scope.addContentTypeParser(FORM, parser, (_request, body, parsed) => parsed(null, body));
    scope.route<Page>({
      method: 'POST',
      url,
      ...ofLink,
      handler: async (request, reply) =>
        answerPage(context, request, reply, async () => takeForm(context, request, reply)),
    });
    done();
  });
}

/** Every refusal is a page too. */
async function answerPage(
  { db }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  reply.headers({ ...LINK_HEADERS, 'content-security-policy': PAGE_POLICY });
  await countLinkUse(db, request);
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
  await openLink(context, token);
  // A page that sends no referrer sends no origin either, only this header.
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new AppError('not_found');
  const form = Object.fromEntries(new URLSearchParams(request.body ?? ''));
  const asks = form['code'] === undefined ? 'ADDRESS' : 'CODE';
  const read = validate(sharedCodeForm, form);
  const isEmpty = read.ok && read.value[asks === 'CODE' ? 'code' : 'email'] === null;
  if (!read.ok || isEmpty) return refuseForm(reply, { asks, fault: FAULTS[asks] });
  try {
    const confirmation = await confirmByCode(context, token, read.value, request.ip);
    if (confirmation === null)
      return await sendPage(reply, codePage({ asks: 'CODE', fault: null }));
    keepConfirmation(context, reply, token, confirmation);
    return await reply.redirect(`/delt/${token}/`, 303);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'not_found') throw error;
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
