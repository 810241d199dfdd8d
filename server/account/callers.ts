import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Endpoint, isOn, permissionsFor } from '../../domain/api/endpoint.ts';
import { judgeBeforeCommit } from '../company/profile.repository.ts';
import type { Actor, Caller, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { demandProof } from '../proof.ts';
import { untilGone } from '../platform/http/route.ts';
import { requestContext } from '../platform/log/log.ts';
import { demand, demandOpen, demandStill } from './permissions.ts';
import {
  findCaller,
  findCallerByApiToken,
  type LoginFrom,
  SESSION_DAYS,
} from './session.service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** When the caller was identified, by `performance.now()`. */
    recognisedAt: number;
    /** The caller of a route that has one. @throws AppError not_logged_in */
    requireCaller(this: FastifyRequest): Caller;
    /** The caller of a company's call. @throws AppError not_logged_in, no_company */
    requireActor(this: FastifyRequest): Actor;
  }
}

/** A body that comes later than this after its caller was identified is late (milliseconds). */
const LATE = 50;
const COOKIE = 'faktur_session';
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOGOUT = 'logout';
/** The one call of accounts that is open to API keys. */
const WHO_AM_I = 'getSession';
/** The browser's Sec-Fetch-Site for another origin; another port of this host is 'same-site'. */
const FOREIGN_SITES: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

/**
 * Identifies callers before anything of their request is read. An endpoint of a feature that is off is not found, for
 * every caller.
 */
export function recogniseCallers(app: FastifyInstance, context: Context): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('recognisedAt', 0);
  app.decorateRequest('requireCaller', function requireCaller(this: FastifyRequest) {
    if (!this.caller) throw new AppError('not_logged_in');
    return this.caller;
  });
  app.decorateRequest('requireActor', function requireActor(this: FastifyRequest) {
    return toActor(this.requireCaller());
  });
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint, feature } = request.routeOptions.config;
    // The one place where a route of a feature that is off is not found (FEAT-3).
    if (!isOn(endpoint ?? { feature }, context.config.features)) throw new AppError('not_found');
    if (!endpoint) return;
    if (!endpoint.crossOrigin && changesState(request, endpoint.id)) {
      refuseForeignOrigin(request, context);
    }
    if (endpoint.access === 'public') {
      if (endpoint.id === LOGOUT) await refuseKey(request, reply, context);
      return;
    }
    await recognise(request, reply, context, endpoint);
  });
  app.addHook('preHandler', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint || endpoint.access === 'public' || !changesState(request, endpoint.id)) return;
    // Its access may have ended while its body came, for as long as the server waits for one (MEM-19).
    const isLate = performance.now() - request.recognisedAt > LATE;
    if (isLate) await recognise(request, reply, context, endpoint);
  });
}

/** Identifies the caller, and refuses one that may not call. @throws AppError */
async function recognise(
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
  endpoint: Endpoint,
): Promise<void> {
  request.caller = await findCallerOf(request, reply, context);
  request.recognisedAt = performance.now();
  const call = requestContext.getStore()?.call;
  if (call && request.caller?.company) call.companyId = request.caller.company.companyId;
  // A read may be abandoned while it waits; a write is completed even when the caller disconnects.
  if (call && !changesState(request, endpoint.id)) call.signal = untilGone(reply);
  if (endpoint.access === 'staff' && !request.requireCaller().isStaff) {
    throw new AppError('not_staff');
  }
  const caller = request.requireCaller();
  refuseToken(caller, endpoint);
  if (endpoint.access === undefined) refuseByCompany(request, endpoint);
  if (endpoint.proof) demandProof(context, caller);
  if (endpoint.access !== undefined) return;
  if (!changesState(request, endpoint.id)) return;
  const actor = request.requireActor();
  demandOpen(actor, endpoint);
  if (!call) return;
  call.access = {
    companyId: actor.companyId,
    changes: actor.accessChanges,
    judge: async (db) => demandStill(context, db, actor, endpoint),
  };
  call.beforeCommit = judgeBeforeCommit;
}

/** Refuses an API token where only a session will do (INT-4). */
function refuseToken(caller: Caller, { access, id, sessionOnly }: Endpoint): void {
  const { sessionId, tokenScopes } = caller;
  const isBeyond = access !== undefined && id !== WHO_AM_I && tokenScopes !== null;
  if (isBeyond || (sessionOnly && sessionId === null)) throw new AppError('session_needed');
}

/** Logging out is open to everybody, but not to a member's API key. */
async function refuseKey(
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Promise<void> {
  if (bearerOf(request) === undefined) return;
  const caller = await findCallerOf(request, reply, context);
  if (caller?.tokenScopes) throw new AppError('session_needed');
}

/** Refuses a call for another company than the session's (MEM-8), or without the permission that it needs (MEM-4). */
function refuseByCompany(request: FastifyRequest, endpoint: Endpoint): void {
  const actor = request.requireActor();
  const { 'x-company': meant } = request.headers;
  const isOther = meant !== undefined && String(meant).toLowerCase() !== actor.companyUuid;
  if (isOther) throw new AppError('other_company');
  for (const permission of permissionsFor(endpoint)) demand(actor, permission);
}

/** The caller with its company. @throws AppError no_company */
function toActor({ company, ...caller }: Caller): Actor {
  if (!company) throw new AppError('no_company');
  return { ...caller, ...company };
}

/** The caller for a page of a company, who may see what is in it; null for an unknown caller. @throws AppError no_company */
export async function findActor(
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Promise<Actor | null> {
  const caller = await findCallerOf(request, reply, context);
  return caller && toActor(caller);
}

/** The caller of this request, by cookie or bearer token; null for an unknown caller. */
export async function findCallerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Promise<Caller | null> {
  const bearer = bearerOf(request);
  if (bearer !== undefined) return findCallerByApiToken(context, bearer);
  const token = sessionToken(request);
  if (token === null) return null;
  const found = await findCaller(context, token);
  if (found?.renewed) setSessionCookie(reply, token, context);
  return found?.caller ?? null;
}

function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** The session token that the browser sent, if any. */
export function sessionToken(request: FastifyRequest): string | null {
  return request.cookies[COOKIE] ?? null;
}

/** The browser that logs in with this request. */
export function loginFrom(request: FastifyRequest): LoginFrom {
  const { ip, headers } = request;
  return { ip, userAgent: headers['user-agent'] ?? '', former: sessionToken(request) };
}

/** Sets the session cookie: not readable by scripts, not sent along from other sites. */
export function setSessionCookie(reply: FastifyReply, token: string, context: Context): void {
  reply.setCookie(COOKIE, token, {
    ...cookieAttributes(context),
    maxAge: SESSION_DAYS * 24 * 60 * 60,
  });
}

/** Removes the session cookie. */
export function clearSessionCookie(reply: FastifyReply, context: Context): void {
  reply.clearCookie(COOKIE, cookieAttributes(context));
}

function cookieAttributes(context: Context) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: context.config.publicUrl.startsWith('https:'),
  } as const;
}

// Logging out is a GET by contract, so another site must not be able to trigger that either.
function changesState(request: FastifyRequest, endpointId: string): boolean {
  return !SAFE_METHODS.has(request.method) || endpointId === LOGOUT;
}

/**
 * Refuses a browser's request from another origin: scheme, host or port. Other clients send neither header, and no
 * cookie by themselves.
 */
function refuseForeignOrigin(request: FastifyRequest, { config }: Context): void {
  const { origin, host } = request.headers;
  if (origin !== undefined) {
    // The host may be another name of this server; only the settings know the public scheme.
    const scheme = new URL(config.publicUrl).protocol;
    const isOwn = origin === config.publicUrl || origin === `${scheme}//${host}`;
    if (!isOwn) throw new AppError('foreign_origin');
  } else if (FOREIGN_SITES.has(request.headers['sec-fetch-site'])) {
    throw new AppError('foreign_origin');
  }
}
