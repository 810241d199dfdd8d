import { randomBytes } from 'node:crypto';

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { sentenceOf, statusOf } from '../../errors.ts';
import { base32, keyedHash } from '../crypto.ts';
import type { Db } from '../db/database.ts';
import { countAgainst } from '../limits/rate-limit.ts';
import { markup } from '../mail/layout.ts';
import { networkOf } from './client-network.ts';
import { refusalOf } from './error-answers.ts';
import { linkPages } from './link-pages.ts';

/** Bits of a link's token: 160 (EXP-12, OVER-10). */
const TOKEN_BYTES = 20;
/** Uses of links by one address. */
const MOST_USES = 60;
const SECONDS = 600;

/** For whatever is at a link: nobody keeps it, lists it or tells where it was. */
const LINK_HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

const REFUSALS = linkPages({ title: 'Faktur', style: '' });

/** Nothing is loaded. */
export const EMPTY_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/** The token of a new link, for its address alone. Only its SHA-256 is kept. */
export function makeLinkToken(): string {
  return toToken(randomBytes(TOKEN_BYTES));
}

/**
 * The token of a link that each mail is to have again: it is derived from the link's random uuid and the secret key, so
 * only its SHA-256 is kept (PORT-2).
 */
export function derivedLinkToken(secretKey: string, purpose: string, uuid: string): string {
  return toToken(keyedHash(secretKey, purpose, uuid));
}

function toToken(bytes: Uint8Array): string {
  return base32(bytes.subarray(0, TOKEN_BYTES));
}

/**
 * Begins the answer to a use of any link: it is counted, so that nobody tries tokens, and nobody keeps the answer.
 *
 * @param policy the content security policy of a page or file; data has that of all data
 * @throws AppError too_many_requests
 */
export async function beginLinkUse(
  { db }: { readonly db: Db },
  {
    request: { ip },
    reply,
  }: { readonly request: Pick<FastifyRequest, 'ip'>; readonly reply: FastifyReply },
  policy?: string,
): Promise<void> {
  reply.headers({
    ...LINK_HEADERS,
    ...(policy !== undefined && { 'content-security-policy': policy }),
  });
  await countAgainst(db, {
    key: `shared-link:${networkOf(ip)}`,
    most: MOST_USES,
    seconds: SECONDS,
  });
}

/**
 * The `errorHandler` of what is at a link: it answers a refusal as a page. A link that is wrong, ended, revoked or of a
 * feature that is off gets one answer.
 */
export function refuseAsPage(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  const refusal = refusalOf(error, request);
  if (!refusal) throw error;
  const { code, retryAfter } = refusal;
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  const sentence =
    code === 'not_found'
      ? 'Den kan være feil, utløpt eller trukket tilbake. Be om en ny fra den som sendte den.'
      : sentenceOf(refusal, 'nb');
  const heading = code === 'not_found' ? 'Lenken virker ikke' : 'Det gikk ikke';
  return reply
    .headers({ ...LINK_HEADERS, 'content-security-policy': REFUSALS.policy })
    .status(statusOf(refusal))
    .type('text/html; charset=utf-8')
    .send(REFUSALS.frame(markup`<h1>${heading}</h1>\n<p class="lead">${sentence}</p>`, []));
}
