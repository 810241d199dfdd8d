import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

import { withFeatures } from '../../../domain/api/endpoint.ts';
import { API_ENDPOINTS } from '../../../domain/endpoints.ts';
import { isOn } from '../../../domain/feature.ts';
import type { Config } from '../../config.ts';
import { describeApi } from './openapi.ts';

/**
 * The policy for Swagger's page: its scripts and styles come from here, and it may call the API. The plugin's own
 * policy names another host, and breaks a server on plain http.
 */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger adds styles to its own page, as attributes and as text.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the API's description, for machines and for people. It contains only enabled features. */
export async function serveDocs(
  app: FastifyInstance,
  { features }: Pick<Config, 'features'>,
): Promise<void> {
  const endpoints = API_ENDPOINTS.filter((endpoint) => isOn(endpoint, features));
  const document = describeApi(endpoints.map((endpoint) => withFeatures(endpoint, features)));
  app.get('/api/openapi.json', async (_, reply) => {
    reply.header('cache-control', 'no-cache');
    return document;
  });
  await app.register(swagger, {
    mode: 'static',
    specification: { document: document as never },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: DOCS_POLICY,
    theme: { title: 'Faktur API' },
    // Without the top bar, which has another product's logo and asks for other descriptions.
    uiConfig: { layout: 'BaseLayout' },
  });
}
