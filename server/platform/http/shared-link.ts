import { randomBytes } from 'node:crypto';

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { AppError, sentenceOf } from '../../errors.ts';
import { base32 } from '../crypto.ts';
import type { Db } from '../db/database.ts';
import { countAgainst } from '../limits/rate-limit.ts';
import { markup } from '../mail/layout.ts';
import { networkOf } from './client-network.ts';

/** Bits of a link's token: 160 (EXP-12, OVER-10). */
const TOKEN_BYTES = 20;
/** Uses of links by one address. */
const MOST_USES = 60;
const SECONDS = 600;

/** For whatever is at a link: nobody keeps it, lists it or tells where it was. */
export const LINK_HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

/** Nothing is loaded. */
export const EMPTY_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/** The token of a new link, for its address alone. Only its SHA-256 is kept. */
export function makeLinkToken(): string {
  return base32(randomBytes(TOKEN_BYTES));
}

/** Counts a use of any link, so that nobody tries tokens. @throws AppError too_many_requests */
export async function countLinkUse(db: Db, { ip }: Pick<FastifyRequest, 'ip'>): Promise<void> {
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
  _request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  if (!(error instanceof AppError)) throw error;
  const { code, retryAfter } = error;
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  const isGone = code === 'not_found';
  const sentence = isGone
    ? 'Lenken virker ikke. Den kan være feil, utløpt eller trukket tilbake. Be om en ny fra den som sendte den.'
    : sentenceOf(error, 'nb');
  const page = markup`<!doctype html><html lang="nb"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Faktur</title></head>
<body><p>${sentence}</p></body></html>`;
  const status = { not_found: 404, too_many_requests: 429 }[code as string] ?? 503;
  return reply
    .headers({ ...LINK_HEADERS, 'content-security-policy': EMPTY_POLICY })
    .status(status)
    .type('text/html; charset=utf-8')
    .send(page.source);
}
