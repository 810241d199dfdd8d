import { timingSafeEqual } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { sha256 } from '../crypto.ts';
import type { Database } from '../db/database.ts';
import type { Metrics } from '../metrics/measurements.ts';

/** Requested every few seconds: never refused, and not in the log, where they would hide the other lines. */
export const MONITORING_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** For monitoring: whether the process runs, and whether it reaches its database. */
export function healthRoutes(app: FastifyInstance, database: Database): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    try {
      await database.ping();
      return { status: 'ok' };
    } catch (error) {
      app.log.error({ err: error }, 'the database is out of reach');
      throw new AppError('unavailable', { cause: error });
    }
  });
}

/** The metrics of the process, for Prometheus. */
export function metricsRoutes(app: FastifyInstance, config: Config, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    metrics.http.observe(
      {
        method: request.method,
        // The route's pattern, because the number of addresses is unlimited.
        route: request.routeOptions.url ?? 'unknown',
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    );
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, config)) throw new AppError('not_found');
    const text = await metrics.read();
    return reply.type(metrics.contentType).header('cache-control', 'no-store').send(text);
  });
}

/**
 * With a token, callers that have it may read; without one, only this machine. A proxy on this machine calls from
 * here too, perhaps without a forwarding header (docs/decisions/0013-limits.md).
 */
function mayRead(request: FastifyRequest, config: Config): boolean {
  if (config.metricsToken !== null) {
    const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(sha256(given), sha256(config.metricsToken));
  }
  return (
    !isBehindProxy(config) &&
    !isPassedOn(request.headers) &&
    isLoopback(request.hostname) &&
    isLoopback(request.socket.remoteAddress ?? '')
  );
}

/** A process with a public name is reached through a proxy. */
function isBehindProxy({ publicUrl, trustProxy }: Config): boolean {
  return trustProxy || !isLoopback(new URL(publicUrl).hostname);
}

/** Headers by which proxies, tunnels and content networks name their client or themselves. */
const PASSED_ON =
  /^(forwarded|via|cdn-loop|x-forwarded\b.*|x-original-.*|x-amzn-trace-id|x-azure-.*|x-envoy-.*|cf-.*|.*-ip|.*-addr)$/;

function isPassedOn(headers: FastifyRequest['headers']): boolean {
  return Object.keys(headers).some((name) => PASSED_ON.test(name));
}

function isLoopback(name: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(name) || /^(::ffff:)?127\.[\d.]+$/.test(name);
}
