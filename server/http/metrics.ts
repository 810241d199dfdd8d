import { timingSafeEqual } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Config } from '../config.ts';
import { sha256 } from '../crypto.ts';
import { AppError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';

/** What the process measures, for Prometheus. */
export function metricsRoutes(app: FastifyInstance, config: Config, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    metrics.http.observe(
      {
        method: request.method,
        // The pattern and not the address: addresses are without number.
        route: request.routeOptions.url ?? 'unknown',
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    );
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, config.metricsToken)) throw new AppError('not_found');
    const text = await metrics.registry.metrics();
    return reply.type(metrics.registry.contentType).header('cache-control', 'no-store').send(text);
  });
}

/**
 * With a token whoever knows it, and without one this machine alone. What a proxy on this machine
 * passes on comes from elsewhere.
 */
function mayRead(request: FastifyRequest, token: string | null): boolean {
  if (token !== null) {
    const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(sha256(given), sha256(token));
  }
  const { headers, socket } = request;
  const isPassedOn = ['forwarded', 'x-forwarded-for', 'via'].some((name) => name in headers);
  return !isPassedOn && isLoopback(socket.remoteAddress ?? '');
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
