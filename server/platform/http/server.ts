import { randomUUID } from 'node:crypto';

import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance } from 'fastify';

import type { Config } from '../../config.ts';
import type { Logger } from '../log/logger.ts';
import type { ErrorReports } from '../log/error-reports.ts';
import { requestContext } from '../log/request-context.ts';
import { limitConnections, type ConnectionLimits } from './open-connections.ts';
import { readBodies } from './body-parsing.ts';
import { answerBrokenConnection, answerErrors, answerUnreadable } from './error-answers.ts';
import { limitFloods } from './flood-limit.ts';
import { HEALTH_CHECKS, RequestLog } from './request-log.ts';
import { isOfApi, securityHeaders, sendSecurityHeaders } from './security-headers.ts';

/** Enough for 100,000 customer numbers, but not enough to fill the memory. */
const BODY_LIMIT = 1024 * 1024;
/** Node itself refuses longer URLs. */
const MAX_HEADER_SIZE = 16 * 1024;
/** From a request's first byte to the last of its body (milliseconds). */
const REQUEST_TIMEOUT = 30_000;
/** How long a client may take to send its headers (milliseconds). */
const HEADERS_TIMEOUT = 10_000;
/** How often the two limits above are checked (milliseconds). */
const TIMEOUT_CHECK = 2000;
/** Longer than the idle time of common proxies, so that they close connections first (milliseconds). */
const KEEP_ALIVE_TIMEOUT = 72_000;
/** Limits the memory that a flood of connections takes. */
const MAX_CONNECTIONS = 4096;
/** Some remain free, so that a new connection can replace an idle one. */
const CONNECTION_LIMITS: ConnectionLimits = {
  most: MAX_CONNECTIONS - 96,
  standstill: 15_000,
  wholeAnswer: 60_000,
  lateRequest: 10_000,
};

/** An HTTP server with everything that all routes share, and without routes. */
export async function createServer(
  config: Config,
  log: Logger,
  reports: ErrorReports,
): Promise<FastifyInstance> {
  const headers = securityHeaders(config);
  const app = fastify({
    loggerInstance: log,
    genReqId: () => randomUUID(),
    frameworkErrors: answerUnreadable(headers.data),
    clientErrorHandler: answerBrokenConnection(headers.data),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      // A parameter that is too long matches nothing: 404, not 414.
      maxParamLength: MAX_HEADER_SIZE,
    },
    bodyLimit: BODY_LIMIT,
    // A request on an open connection is answered before the server stops.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    http: {
      maxHeaderSize: MAX_HEADER_SIZE,
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK,
    },
    // Trusts the proxy in front of us, but no address that it only passes on.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    logController: new RequestLog(),
  });
  app.decorate('features', config.features);
  app.server.maxConnections = MAX_CONNECTIONS;
  limitConnections(app, CONNECTION_LIMITS);
  answerErrors(app, reports);
  readBodies(app);
  sendSecurityHeaders(app, headers);
  limitFloods(app, config.requestsPerMinute, (path) => HEALTH_CHECKS.has(path));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    requestContext.run({ requestId: request.id, call: { companyId: null } }, done);
  });
  app.addHook('onSend', async (request, reply) => {
    if (isOfApi(request) && !reply.hasHeader('cache-control')) {
      reply.header('cache-control', 'no-store');
    }
  });
  await app.register(cookie);
  await app.register(compress, { threshold: 1024, encodings: ['gzip', 'identity'] });
  return app;
}
