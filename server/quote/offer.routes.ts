import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { z } from 'zod/mini';

import { validate } from '../../domain/api/validation.ts';
import {
  acceptOffer,
  declineOffer,
  getOffer,
  mailOfferCode,
} from '../../domain/quote/offer.endpoints.ts';
import {
  ANSWER_NAME_LENGTH,
  ANSWER_NOTE_LENGTH,
  offerAcceptance,
  offerDecline,
} from '../../domain/quote/offer.schema.ts';
import type { Context } from '../context.ts';
import { sendLinkFile } from '../document/serve-pdf.ts';
import { AppError, sentenceOf, statusOf } from '../errors.ts';
import { formOf, takeForms } from '../platform/http/link-confirmation.ts';
import { publicRoute } from '../platform/http/route.ts';
import { beginLinkUse, EMPTY_POLICY, refuseAsPage } from '../platform/http/shared-link.ts';
import { requestCode } from './offer-code.service.ts';
import { OFFER_PAGES, offerPage, type OfferFault } from './offer-page.ts';
import { acceptAtLink, declineAtLink } from './offer-answer.service.ts';
import { findOfferFile, showOffer, visitOffer } from './offer.service.ts';

interface Page {
  Params: { token: string; place?: string };
  Querystring: { kode?: unknown };
  Body: string | undefined;
}
type Request = FastifyRequest<Page>;
type Handler = (context: Context, request: Request, reply: FastifyReply) => Promise<FastifyReply>;

/** A quote at its link, as data and as a page. Neither reads or sets a session. */
export function offerRoutes(app: FastifyInstance, context: Context): void {
  publicRoute(app, getOffer, async ({ params: { token } }, call) => {
    await beginLinkUse(context, call);
    return (await showOffer(context, token)).offer;
  });
  publicRoute(app, mailOfferCode, async ({ params: { token } }, call) => {
    await beginLinkUse(context, call);
    await requestCode(context, token, call.request.ip);
    return undefined;
  });
  publicRoute(app, acceptOffer, async ({ params: { token }, body }, call) => {
    await beginLinkUse(context, call);
    await acceptAtLink(context, token, body, call.request.ip);
    return (await showOffer(context, token)).offer;
  });
  publicRoute(app, declineOffer, async ({ params: { token }, body }, call) => {
    await beginLinkUse(context, call);
    await declineAtLink(context, token, body);
    return (await showOffer(context, token)).offer;
  });
  pageRoutes(app, context);
}

/** The page of a link, the files below it, and the forms that answer. */
function pageRoutes(app: FastifyInstance, context: Context): void {
  const ofLink = { config: { feature: 'quotes' }, errorHandler: refuseAsPage } as const;
  const page = (path: string, policy: string, handler: Handler) =>
    app.route<Page>({
      method: ['GET', 'HEAD'],
      url: `/tilbud/:token/${path}`,
      ...ofLink,
      handler: async (request, reply) => {
        await beginLinkUse(context, { request, reply }, policy);
        return handler(context, request, reply);
      },
    });
  page('', OFFER_PAGES.policy, async (_, request, reply) =>
    sendPage(context, request, reply, null),
  );
  page('pdf/', EMPTY_POLICY, sendFile);
  page('vedlegg/:place/', EMPTY_POLICY, sendFile);
  takeForms(app, (scope) => {
    for (const path of Object.keys(FORMS)) {
      scope.route<Page>({
        method: 'POST',
        url: `/tilbud/:token/${path}/`,
        ...ofLink,
        handler: async (request, reply) => {
          await beginLinkUse(context, { request, reply }, OFFER_PAGES.policy);
          return takeForm(context, request, reply, path);
        },
      });
    }
  });
}

async function sendPage(
  context: Context,
  request: Request,
  reply: FastifyReply,
  fault: OfferFault | null,
): Promise<FastifyReply> {
  const shown = await showOffer(context, request.params.token);
  const html = offerPage({ ...shown, isCodeSent: request.query.kode === 'sendt', fault });
  return reply.type('text/html; charset=utf-8').send(html);
}

async function sendFile(
  context: Context,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token, place } = request.params;
  const visited = await visitOffer(context, token);
  const file = await findOfferFile(context, visited, place ?? null);
  return sendLinkFile(request, reply, file);
}

type Form = Readonly<Record<string, unknown>>;

/** Carries out each form of the page. */
const FORMS: Readonly<
  Record<string, (context: Context, request: Request, form: Form) => Promise<void>>
> = {
  godta: async (context, { params: { token }, ip }, form) =>
    acceptAtLink(context, token, read(offerAcceptance, form), ip),
  avsla: async (context, { params: { token } }, form) =>
    declineAtLink(context, token, read(offerDecline, form)),
  kode: async (context, { params: { token }, ip }) => requestCode(context, token, ip),
};

/** @throws AppError validation_failed, which names the first faulty field */
function read<S extends z.ZodMiniType>(schema: S, form: Form): z.output<S> {
  const result = validate(schema, { ...form, revision: Number(form['revision']) });
  if (result.ok) return result.value;
  throw new AppError('validation_failed', { field: result.faults[0]?.field ?? '' });
}

const FIELDS = ['name', 'code', 'reason'] as const;
const FAULTS: Readonly<Record<(typeof FIELDS)[number], string>> = {
  name: `Skriv navnet ditt med vanlige tegn, høyst ${ANSWER_NAME_LENGTH}.`,
  code: 'Koden er feil eller har gått ut. Prøv igjen, eller be om en ny.',
  reason: `Skriv høyst ${ANSWER_NOTE_LENGTH} tegn.`,
};

/** Takes a form. The page has no script, so it is answered by the page again: with a sentence when it was refused (QUO-37). */
async function takeForm(
  context: Context,
  request: Request,
  reply: FastifyReply,
  name: string,
): Promise<FastifyReply> {
  const form = formOf(request);
  try {
    await FORMS[name]?.(context, request, form);
  } catch (error) {
    if (!(error instanceof AppError) || PAGES_OF_THEIR_OWN.has(error.code)) throw error;
    const field = FIELDS.find((one) => one === error.field) ?? null;
    const isOwn = error.code === 'validation_failed' || error.code === 'wrong_code';
    const sentence = field !== null && isOwn ? FAULTS[field] : sentenceOf(error, 'nb');
    const { name: typed = '', reason = '' } = form;
    return sendPage(context, request, reply.status(statusOf(error)), {
      field,
      sentence,
      name: typed,
      reason,
    });
  }
  const query = name === 'kode' ? '?kode=sendt#svar' : '';
  return reply.redirect(`/tilbud/${request.params.token}/${query}`, 303);
}

const PAGES_OF_THEIR_OWN: ReadonlySet<string> = new Set(['not_found', 'too_many_requests']);
