import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { markup } from '../mail/layout.ts';

const YEAR = 365 * 24 * 60 * 60;

/**
 * The built web app: hashed files with unlimited caching, and one page for every other address; the landing page for
 * `/`.
 */
export async function servePages(
  app: FastifyInstance,
  context: Pick<Context, 'config'>,
  folder: string,
): Promise<void> {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  // It contains placeholders for settings (web/landing.html).
  const landing = readFileSync(join(folder, 'landing.html'), 'utf8')
    .replaceAll('{supportEmail}', () => markup`${context.config.supportEmail}`.source)
    .replaceAll('{registration}', context.config.registration);
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, 'assets'));
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR}, immutable` : 'no-cache');
    },
  });
  app.get('/config.json', async (_, reply) => {
    reply.header('cache-control', 'no-cache');
    return browserSettings(context);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPage = isRead && !request.url.startsWith('/api/');
    if (!isPage || request.url.startsWith('/assets/')) throw new AppError('not_found');
    return sendPage(reply, request.url.split('?', 1)[0] === '/' ? landing : page);
  });
}

function sendPage(reply: FastifyReply, page: string) {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
}

/** Settings that the web app needs. */
function browserSettings({ config }: Pick<Context, 'config'>) {
  return {
    supportEmail: config.supportEmail,
    businessRegisterUrl: config.businessRegisterUrl,
    sentryDsn: config.sentryDsn,
    registration: config.registration,
    passkeys: config.features.has('passkeys'),
  };
}
