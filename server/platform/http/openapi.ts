import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { toSnakeKey } from '../../../domain/api/case.ts';
import {
  successStatus,
  uploadTypesOf,
  withFeatures,
  type Endpoint,
  isOn,
  makesSomething,
} from '../../../domain/api/endpoint.ts';
import { errorBody } from '../../../domain/api/error.ts';
import { API_ENDPOINTS } from '../../../domain/endpoints.ts';
import type { Config } from '../../config.ts';

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
  let described: JsonSchema | undefined;
  const describe = () => {
    const endpoints = API_ENDPOINTS.filter((endpoint) => isOn(endpoint, features));
    const those = endpoints.map((endpoint) => withFeatures(endpoint, features));
    return describeApi(those, features.has('members'));
  };
  // Described when it is first asked for: it takes a tenth of a start.
  const document = { toJSON: () => (described ??= describe()) };
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

/** The API's own version. */
const API_VERSION = '1.0.0';

/** The rules of every call, in Markdown. */
const DESCRIPTION = `Invoicing for Norwegian small businesses.

- JSON with names in snake_case. Amounts are kroner with at most two decimals, dates \`YYYY-MM-DD\`,
  instants ISO 8601 in UTC. What has no value is \`null\`; null, an empty text and absence mean the
  same in input, and unknown properties are ignored.
- An e-mail address comes back in lower case and with its domain in ASCII, as it is stored and mailed:
  \`kari@bjørnsrud.no\` is \`kari@xn--bjrnsrud-64a.no\`.
- A browser has the session cookie that \`login/verify\` sets. A program sends a token that the operator
  made with \`npm run token -- create EMAIL\`, or a key that a member made at \`/profile/integrations/\`
  where that is on, as \`Authorization: Bearer …\`. To try calls here, press "Authorize" and paste it.
- A refusal says why in \`detail\`, with the \`field\` where one is to blame.`;

type JsonSchema = Record<string, unknown>;

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'The input is not valid',
  401: 'No session',
  403: 'Not allowed',
  404: 'Unknown, or somebody else’s',
  409: 'A rule of state forbids it; the message says which',
  413: 'The body is too large',
  415: 'The Content-Type is not that of the body',
  429: 'Too many attempts; see Retry-After',
  500: 'A fault of ours',
};

const RETRY_AFTER = {
  description: 'Seconds until it is worth trying again',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};

const X_COMPANY = {
  name: 'X-Company',
  in: 'header',
  description:
    'The uuid of the company that the call is meant for. When the session has another one meanwhile: 409',
  required: false,
  schema: { type: 'string', format: 'uuid' },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names this call for 24 hours: the same call with the same key is answered as the first time, and makes nothing again. ' +
    'With another body or path: 409. While the first is under way: 409 with Retry-After, or it waits. A refusal is not kept',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[ -~]*$' },
};

const SET_COOKIE = {
  description: 'The session: faktur_session, HttpOnly and SameSite=Lax, for 30 days from its use',
  required: true,
  schema: { type: 'string' },
};

/** The whole API as an OpenAPI 3.1 document, generated from its endpoints. */
function describeApi(endpoints: readonly Endpoint[], withMembers: boolean): JsonSchema {
  const schemas: Record<string, JsonSchema> = {};
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => `{${toSnakeKey(name)}}`,
    );
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint, schemas, withMembers),
    };
  }
  // Named schemas go to the components by themselves; every failure refers to this one.
  toSchema(errorBody, 'output', schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Faktur',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'faktur_session' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function tagOf(endpoint: Endpoint): string {
  return endpoint.path.split('/')[2] ?? 'api';
}

function describeOperation(
  endpoint: Endpoint,
  schemas: Record<string, JsonSchema>,
  withMembers: boolean,
): JsonSchema {
  const hasRoles = withMembers && endpoint.access === undefined;
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    tags: [tagOf(endpoint)],
    security: endpoint.access === 'public' ? [] : [{ session: [] }, { token: [] }],
    parameters: [
      ...describeParameters(endpoint.params, 'path', schemas),
      ...describeParameters(endpoint.query, 'query', schemas),
      ...(hasRoles ? [X_COMPANY] : []),
      ...(makesSomething(endpoint) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse(undefined).success,
        content: { 'application/json': { schema: toSchema(endpoint.body, 'input', schemas) } },
      },
    }),
    ...(endpoint.upload !== undefined && {
      requestBody: {
        required: true,
        description: `A file, as it is, of at most ${endpoint.upload} bytes`,
        content: Object.fromEntries(uploadTypesOf(endpoint).map((type) => [type, {}])),
      },
    }),
    responses: describeResponses(endpoint, schemas, [
      ...(hasRoles ? [403, 409] : []),
      ...(makesSomething(endpoint) ? [400, 409] : []),
    ]),
  };
}

function describeParameters(
  schema: Endpoint['query'],
  place: 'path' | 'query',
  schemas: Record<string, JsonSchema>,
): JsonSchema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input', schemas) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function describeResponses(
  endpoint: Endpoint,
  schemas: Record<string, JsonSchema>,
  ofHeaders: readonly number[],
): JsonSchema {
  const success: JsonSchema = { description: endpoint.response ? 'Done' : 'Done, nothing to say' };
  if (endpoint.setsSession) success['headers'] = { 'Set-Cookie': SET_COOKIE };
  const { response } = endpoint;
  const mayBeEmpty = response instanceof z.core.$ZodNullable;
  if (response) {
    const content = mayBeEmpty ? response._zod.def.innerType : response;
    success['content'] = {
      [endpoint.contentType ?? 'application/json']: {
        schema: toSchema(content, 'output', schemas),
      },
    };
  }
  const failures = failureStatuses(endpoint, ofHeaders).map((status) => [
    status,
    {
      description: STATUS_TEXT[status],
      ...(status === 429 && { headers: { 'Retry-After': RETRY_AFTER } }),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
  const { statusOfExisting = [], statusOfDryRun = [] } = endpoint;
  const successes = [successStatus(endpoint), statusOfExisting, statusOfDryRun].flat();
  const empty = mayBeEmpty ? [[204, { description: 'There is none' }]] : [];
  return Object.fromEntries([
    ...successes.map((status) => [status, success]),
    ...empty,
    ...failures,
  ]) as JsonSchema;
}

function failureStatuses(endpoint: Endpoint, ofHeaders: readonly number[]): number[] {
  const statuses = new Set<number>([...(endpoint.errors ?? []), ...ofHeaders, 500]);
  if (endpoint.body || endpoint.query || endpoint.upload) statuses.add(400);
  // Any call may be sent a body that is too large or of an unknown type, even one without a body.
  if (endpoint.method !== 'GET') statuses.add(413).add(415);
  if (endpoint.access !== 'public') statuses.add(401);
  // Every call that changes something is refused when another site makes it.
  const isGuarded = endpoint.method !== 'GET' && !endpoint.crossOrigin;
  if (endpoint.access === 'staff' || isGuarded) statuses.add(403);
  return [...statuses].toSorted((left, right) => left - right);
}

/** A schema as JSON Schema with the wire's names; named schemas go to the components. */
function toSchema(
  schema: z.core.$ZodType,
  io: 'input' | 'output',
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => nameAsOnWire(jsonSchema),
  });
  const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs, $schema: _, id, ...root } = JSON.parse(text) as z.core.JSONSchema.BaseSchema;
  Object.assign(schemas, $defs);
  if (id === undefined) return root;
  schemas[id] = root;
  return { $ref: `#/components/schemas/${id}` };
}

function nameAsOnWire(schema: z.core.JSONSchema.BaseSchema): void {
  const { properties, required } = schema;
  if (properties) {
    const named = Object.entries(properties).map(([name, property]) => [
      toSnakeKey(name),
      property,
    ]);
    schema.properties = Object.fromEntries(named) as typeof properties;
  }
  if (required) schema.required = required.map(toSnakeKey);
}
