import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Config } from '../../config.ts';

type Headers = Readonly<Record<string, string>>;

/** The security headers of pages and their files, and those of data. */
export interface SecurityHeaders {
  readonly page: Headers;
  readonly data: Headers;
}

/** Headers of every answer. */
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
export function securityHeaders(config: Config): SecurityHeaders {
  const isHttps = config.publicUrl.startsWith('https:');
  const common = isHttps ? { ...EVERYWHERE, ...HTTPS } : EVERYWHERE;
  return {
    page: { ...common, 'content-security-policy': pagePolicy(config, isHttps) },
    data: { ...common, 'content-security-policy': DATA_POLICY },
  };
}

/** Adds the security headers to every answer, with or without a route. */
export function sendSecurityHeaders(app: FastifyInstance, { page, data }: SecurityHeaders): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isOfApi(request) ? data : page);
    done();
  });
}

/** Checks the route, not the URL, because '//api/' and '/%61pi/' lead to the API too. */
export function isOfApi(request: FastifyRequest): boolean {
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
