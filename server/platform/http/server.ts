import { randomUUID } from 'node:crypto';

import compress, { type FastifyCompressOptions } from '@fastify/compress';
import cookie from '@fastify/cookie';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';

import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { ErrorReports } from '../log/error-reports.ts';
import { type Logger, requestContext } from '../log/log.ts';
import { readBodies } from './bodies.ts';
import { networkOf } from './client-network.ts';
import { answerBrokenConnection, answerErrors, answerUnreadable } from './error-answers.ts';
import { MONITORING_PATHS } from './monitoring.ts';
import { type ConnectionLimits, limitConnections } from './open-connections.ts';

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

/**
 * Endpoints check their input with zod. Fastify would load two compilers for schemas of its own at each start, which no
 * route has: a hundred files.
 */
const NO_COMPILERS = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

function refuseSchemas(): never {
  throw new TypeError('A route has a schema of Fastify, which nothing checks');
}

const COMPRESSION = {
  // A smaller answer arrives as fast without: compressing it takes longer than the packet or two that it saves.
  threshold: 4096,
  // Up to the size of a page of a list, one call of zlib costs a sixth of the request less than a stream would.
  syncThreshold: 65_536,
  encodings: ['gzip', 'identity'],
} satisfies FastifyCompressOptions;

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
    schemaController: { compilersFactory: NO_COMPILERS },
  });
  app.decorate('features', config.features);
  app.server.maxConnections = MAX_CONNECTIONS;
  limitConnections(app, CONNECTION_LIMITS);
  answerErrors(app, reports);
  readBodies(app);
  sendSecurityHeaders(app, headers);
  limitFloods(app, config.requestsPerMinute);
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
  await app.register(compress, COMPRESSION);
  return app;
}

/** One line for each request, after its answer; with LOG_LEVEL=debug another when it arrives. */
class RequestLog extends LogController {
  constructor() {
    super({
      requestIdLogLabel: 'requestId',
      disableRequestLogging: (request) => MONITORING_PATHS.has(request.url),
    });
  }

  override incomingRequest(request: FastifyRequest): void {
    if (!this.isLogDisabled(request)) request.log.debug({ req: request }, 'request came');
  }

  override requestCompleted(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (this.isLogDisabled(request)) return;
    const outcome = { req: request, res: reply, responseTime: reply.elapsedTime };
    if (error) reply.log.error({ ...outcome, err: error }, 'request errored');
    else reply.log.info(outcome, 'request completed');
  }
}

/** Length of a window of the limit below (milliseconds). */
const WINDOW = 60_000;
/** Most addresses counted at once; the oldest is dropped first. */
const MOST_ADDRESSES = 10_000;

/**
 * Limits the requests of one client to this process per minute. It counts in memory, which is enough against floods.
 * Against guessing, all processes count in the database (`server/platform/limits/rate-limit.ts`).
 */
function limitFloods(app: FastifyInstance, most: number): void {
  if (most === 0) return;
  const windows = new Map<string, { hits: number; endsAt: number }>();
  app.addHook('onRequest', (request, _reply, done) => {
    // A monotonic clock: a correction of the time must not extend a window.
    const now = performance.now();
    const caller = networkOf(request.ip);
    const current = windows.get(caller);
    if (!current || current.endsAt <= now) {
      windows.delete(caller);
      windows.set(caller, { hits: 1, endsAt: now + WINDOW });
      const [oldest] = windows.keys();
      if (windows.size > MOST_ADDRESSES && oldest !== undefined) windows.delete(oldest);
      return done();
    }
    current.hits += 1;
    if (current.hits <= most || MONITORING_PATHS.has(request.url)) return done();
    const seconds = Math.ceil((current.endsAt - now) / 1000);
    return done(new AppError('too_many_requests', { retryAfter: seconds }));
  });
}

type Headers = Readonly<Record<string, string>>;

/** The security headers of pages and their files, and those of data. */
interface SecurityHeaders {
  readonly page: Headers;
  readonly data: Headers;
}

const EVERYWHERE: Headers = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // A mailed link has a token in its URL, which no other site may read.
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), ' +
    'magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-permitted-cross-domain-policies': 'none',
  'x-dns-prefetch-control': 'off',
};

/** Two years, as browsers' preload lists require; without subdomains, which may belong to others. */
const HTTPS: Headers = { 'strict-transport-security': 'max-age=63072000' };

/** An answer of the API is data, even if a browser is made to show it as a page. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/** The headers depend on settings alone, so they are built once. */
function securityHeaders(config: Config): SecurityHeaders {
  const isHttps = config.publicUrl.startsWith('https:');
  const common = isHttps ? { ...EVERYWHERE, ...HTTPS } : EVERYWHERE;
  return {
    page: { ...common, 'content-security-policy': pagePolicy(config, isHttps) },
    data: { ...common, 'content-security-policy': DATA_POLICY },
  };
}

/** Adds the security headers to every answer, with or without a route. */
function sendSecurityHeaders(app: FastifyInstance, { page, data }: SecurityHeaders): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isOfApi(request) ? data : page);
    done();
  });
}

/** Checks the route, not the URL, because '//api/' and '/%61pi/' lead to the API too. */
function isOfApi(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? request.url).startsWith('/api/');
}

/** Scripts and styles are files from this server only. */
function pagePolicy(config: Config, isHttps: boolean): string {
  const elsewhere = [config.businessRegisterUrl, config.sentryDsn].flatMap((url) =>
    url === null ? [] : new URL(url).origin,
  );
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src ${["'self'", ...elsewhere].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return [...directives, ...(isHttps ? ['upgrade-insecure-requests'] : [])].join('; ');
}
