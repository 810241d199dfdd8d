import type { z } from 'zod';

import type { Feature } from '../feature.ts';

/** Who may call: everybody, someone with a session, or staff. */
type Access = 'public' | 'session' | 'staff';

type Schema = z.ZodType;
type ObjectSchema = z.ZodObject;

/**
 * One call of the API as a value. The server registers it as a route, the browser's client calls
 * it and OpenAPI is printed from it, so the three cannot drift apart. Names are camelCase here;
 * the wire's snake_case exists only in the server's and the client's one converter each.
 */
export interface Endpoint<
  Params extends ObjectSchema | undefined = ObjectSchema | undefined,
  Query extends ObjectSchema | undefined = ObjectSchema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Response extends Schema | undefined = Schema | undefined,
> {
  /** Unique name, OpenAPI's operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{camelCase}` placeholders, ending in a slash. */
  readonly path: `/api/${string}/`;
  readonly summary: string;
  readonly access: Access;
  /** The call is unknown where this is off. */
  readonly feature?: Feature;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The body where `units` is on, if it is another then. */
  readonly bodyWithUnits?: Body;
  /** Bytes of `body` where it may be larger than those of other calls. */
  readonly largestBody?: number;
  /** The body is bytes as they are, at most so many, and no `body`. */
  readonly upload?: number;
  /** The media types that those bytes may be sent as; application/octet-stream when absent. */
  readonly uploadTypes?: readonly string[];
  /** Absent when the answer is 204 without a body. Where it may be null, it is 204 when it is. */
  readonly response?: Response;
  /** Status of success; 200 with a response and 204 without one unless stated. */
  readonly status?: 200 | 201 | 204;
  /** Status when what would be made is there already. */
  readonly statusOfExisting?: 200;
  /** Status with `dryRun` in the query, which makes nothing. */
  readonly statusOfDryRun?: 200;
  /** The answer's media type where it is not JSON. */
  readonly contentType?: string;
  /** Statuses beyond those that follow from access and input. */
  readonly errors?: readonly (403 | 404 | 409 | 429)[];
  /** Whether the answer gives the browser its session, or takes it. */
  readonly setsSession?: boolean;
  /** Called by a machine elsewhere (a mail client, Amazon SNS), so the origin is not checked. */
  readonly crossOrigin?: boolean;
}

type Input<S> = S extends Schema ? z.input<S> : undefined;
type Output<S> = S extends Schema ? z.output<S> : undefined;

/** What a caller passes: params, query and body as the schemas accept them. */
export type RequestOf<E extends Endpoint> = {
  [K in 'params' | 'query' | 'body' as E[K] extends Schema ? K : never]: Input<E[K]>;
};

/** What a handler receives: params, query and body as the schemas produced them. */
export type ParsedOf<E extends Endpoint> = {
  [K in 'params' | 'query' | 'body' as E[K] extends Schema ? K : never]: Output<E[K]>;
};

/** What comes back, or undefined for a 204. */
export type ResponseOf<E extends Endpoint> = E['response'] extends Schema
  ? z.input<E['response']>
  : undefined;

/** Declares an endpoint and keeps its exact types. */
export function defineEndpoint<
  const Params extends ObjectSchema | undefined = undefined,
  const Query extends ObjectSchema | undefined = undefined,
  const Body extends Schema | undefined = undefined,
  const Response extends Schema | undefined = undefined,
>(
  endpoint: Endpoint<Params, Query, Body, Response>,
): Endpoint<Params, Query, Body, Response> & {
  params: Params;
  query: Query;
  body: Body;
  response: Response;
} {
  return endpoint as never;
}

/** The call as it is with what is on. */
export function withFeatures(endpoint: Endpoint, features: ReadonlySet<Feature>): Endpoint {
  if (!endpoint.bodyWithUnits || !features.has('units')) return endpoint;
  return { ...endpoint, body: endpoint.bodyWithUnits };
}

/** The status that a successful call answers with. */
export function successStatus(endpoint: Endpoint): 200 | 201 | 204 {
  return endpoint.status ?? (endpoint.response ? 200 : 204);
}

/** The media types that the bytes of an upload may be sent as. */
export function uploadTypesOf({ uploadTypes = ['application/octet-stream'] }: Endpoint) {
  return uploadTypes;
}
