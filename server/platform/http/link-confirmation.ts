import { timingSafeEqual } from 'node:crypto';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { keyedHash } from '../crypto.ts';

/** How browsers are confirmed for links of one kind. */
interface Kind {
  readonly cookie: string;
  readonly purpose: string;
  readonly seconds: number;
  /** The paths of the data and of the page before the token. A cookie has one path, so it is set for each. */
  readonly before: readonly string[];
}

/** Confirmations by a code, as a cookie of the browser: when it ends, and a keyed hash that only we can make. It is no session: it opens one link. */
export interface LinkConfirmations {
  of(request: FastifyRequest): string | undefined;
  make(key: string, bound: string): string;
  /** @param bound what must not have changed since, such as the hash of the link and its address */
  holds(key: string, bound: string, confirmation: string | undefined): boolean;
  keep(config: Pick<Config, 'publicUrl'>, reply: FastifyReply, token: string, made: string): void;
}

export function linkConfirmations({ cookie, purpose, seconds, before }: Kind): LinkConfirmations {
  const hashOf = (key: string, bound: string, endsAt: number) =>
    keyedHash(key, purpose, `${bound}\0${endsAt}`);
  return {
    of: ({ cookies }) => cookies[cookie],
    make(key, bound) {
      const endsAt = Date.now() + seconds * 1000;
      return `${endsAt}.${hashOf(key, bound, endsAt).toString('base64url')}`;
    },
    holds(key, bound, confirmation = '') {
      const [ends = '', hash = ''] = confirmation.split('.');
      const endsAt = Number(ends);
      const expected = hashOf(key, bound, endsAt);
      const given = Buffer.from(hash, 'base64url');
      return (
        given.length === expected.length && timingSafeEqual(given, expected) && endsAt > Date.now()
      );
    },
    keep({ publicUrl }, reply, token, made) {
      for (const path of before) {
        reply.setCookie(cookie, made, {
          path: `${path}/${token}/`,
          httpOnly: true,
          sameSite: 'lax',
          secure: publicUrl.startsWith('https:'),
          maxAge: seconds,
        });
      }
    },
  };
}

/** The form of a link's page. A page that sends no referrer sends no origin either, only this header. @throws AppError not_found when another site sent it */
export function formOf(request: FastifyRequest<{ Body: string | undefined }>) {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new AppError('not_found');
  return Object.fromEntries(new URLSearchParams(request.body ?? ''));
}

const FORM = 'application/x-www-form-urlencoded';
/** Bytes of a form: a text of 1,000 characters takes up to 9,000. */
const LARGEST_FORM = 16_384;

/** Adds routes that take the forms of links' pages. */
export function takeForms(app: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  app.register((scope, _options, done) => {
    const parser = { parseAs: 'string', bodyLimit: LARGEST_FORM } as const;
    scope.addContentTypeParser(FORM, parser, (_request, body, parsed) => parsed(null, body));
    add(scope);
    done();
  });
}
