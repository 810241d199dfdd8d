import type { z } from 'zod/mini';

import type { Permission } from '../permission.ts';

type Schema = z.ZodMiniType;
type ObjectSchema = z.ZodMiniObject;

/**
 * One call of the API as a value. The server registers it as a route, the browser's client calls
 * it and OpenAPI is printed from it, so the three cannot drift apart. Names are camelCase here;
 * the wire's snake_case exists only in the server's and the client's one converter each. In the
 * browser a call has no schemas (`vite.config.ts`): a form imports its schema by name.
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
  /** Everybody, staff, or every account may call it; when absent, members with the permission. */
  readonly access?: Access;
  /** Only a person who is logged in may call it: a bearer token is 403. */
  readonly sessionOnly?: true;
  /** With `security`: only a proved session may call it, else 403 with `proof_needed`. */
  readonly proof?: true;
  /** A closed company may be called too, though the call is no GET. */
  readonly whileClosed?: true;
  /** The permission that a member of the company needs, or several of them. */
  readonly permission?: Permission | readonly Permission[];
  /** The call answers 404 where this feature is off; of several, where all are. */
  readonly feature?: Feature | readonly Feature[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The body with these features on, when some change it. */
  readonly bodyFor?: (features: ReadonlySet<Feature>) => Body;
  /** Largest body in bytes, when it may exceed the general limit. */
  readonly largestBody?: number;
  /** The body is raw bytes, at most this many; there is no `body`. */
  readonly upload?: number;
  /** The media types that those bytes may be sent as; application/octet-stream when absent. */
  readonly uploadTypes?: readonly string[];
  /** Absent when the answer is 204 without a body. A nullable response answers 204 for null. */
  readonly response?: Response;
  /** Status of success. Default: 200 with a response, 204 without one. */
  readonly status?: 200 | 201 | 202 | 204;
  /** The call makes or sends something, though its answer is not 201. */
  readonly makes?: true;
  /** Status when the thing to make already exists. */
  readonly statusOfExisting?: 200;
  /** Status with `dryRun` in the query, when nothing is made. */
  readonly statusOfDryRun?: 200;
  /** The answer's media type where it is not JSON. */
  readonly contentType?: string;
  /** The answer is a file that may take longer to read than other answers (milliseconds). */
  readonly wholeAnswer?: number;
  /** Statuses beyond those implied by access and input. */
  readonly errors?: readonly (403 | 404 | 409 | 429)[];
  /** The answer sets or clears the session cookie. */
  readonly setsSession?: boolean;
  /** Called by a machine elsewhere (a mail client, Amazon SNS), so the origin is not checked. */
  readonly crossOrigin?: boolean;
}

type Access = 'public' | 'staff' | 'account';

/** A call of a company names its permission; other calls name their access. */
type Caller =
  | { readonly access: Access; readonly permission?: never }
  | { readonly access?: never; readonly permission: Permission | readonly Permission[] };

type Input<S> = S extends Schema ? z.input<S> : undefined;
type Output<S> = S extends Schema ? z.output<S> : undefined;

/** A caller's input: params, query and body before parsing. */
export type RequestOf<E extends Endpoint> = {
  [K in 'params' | 'query' | 'body' as E[K] extends Schema ? K : never]: Input<E[K]>;
};

/** A handler's input: params, query and body after parsing. */
export type ParsedOf<E extends Endpoint> = {
  [K in 'params' | 'query' | 'body' as E[K] extends Schema ? K : never]: Output<E[K]>;
};

/** The answer's body, or undefined for a 204. */
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
  endpoint: Endpoint<Params, Query, Body, Response> & Caller,
): Endpoint<Params, Query, Body, Response> & {
  params: Params;
  query: Query;
  body: Body;
  response: Response;
} {
  return endpoint as never;
}

/** The permissions that a call needs; none when it is not of a company. */
export function permissionsFor({ permission = [] }: Endpoint): readonly Permission[] {
  return typeof permission === 'string' ? [permission] : permission;
}

/** The endpoint with the changes that the enabled features make to it. */
export function withFeatures(endpoint: Endpoint, features: ReadonlySet<Feature>): Endpoint {
  if (!endpoint.bodyFor) return endpoint;
  return { ...endpoint, body: endpoint.bodyFor(features) };
}

/** The status of a successful call. */
export function successStatus(endpoint: Endpoint): 200 | 201 | 202 | 204 {
  return endpoint.status ?? (endpoint.response ? 200 : 204);
}

/** Whether a call makes something, so that it may carry an `Idempotency-Key` (WIRE-22). */
export function makesSomething({ method, status, makes }: Endpoint): boolean {
  return method === 'POST' && (status === 201 || makes === true);
}

/** The media types in which an upload may be sent. */
export function uploadTypesOf({ uploadTypes = ['application/octet-stream'] }: Endpoint) {
  return uploadTypes;
}

/** Features that the operator turns on by name (the setting FEATURES; FEAT-1). */
export const SWITCHES = [
  'payments',
  'reminders',
  'recurring',
  'units',
  'vat',
  'products',
  'credit',
  'attachments',
  'export',
  'members',
  'overview',
  'einvoice',
  'portal',
  'security',
  'integrations',
  'quotes',
  'closing',
] as const;

/** Everything that is off by default: the switches, and EHF, which is on when there is an access point. */
export const FEATURES = [...SWITCHES, 'ehf'] as const;

/** Passkeys are on with `security`, where `PUBLIC_URL` names a host. The session does not list them. */
export type Feature = (typeof FEATURES)[number] | 'passkeys';

/** The default: all features are off. */
export const NO_FEATURES: ReadonlySet<Feature> = new Set();

/** Whether something exists: it needs no feature, or its feature, or one of several, is on. */
export function isOn(
  { feature }: { readonly feature?: Feature | readonly Feature[] },
  features: ReadonlySet<Feature>,
): boolean {
  if (feature === undefined) return true;
  return typeof feature === 'string'
    ? features.has(feature)
    : feature.some((one) => features.has(one));
}
