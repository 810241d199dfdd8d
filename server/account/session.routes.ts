import type { FastifyInstance } from 'fastify';

import {
  getSession,
  loginEmail,
  logout,
  registerEmail,
  verifyLogin,
} from '../../domain/session/session.endpoints.ts';
import type { Context } from '../context.ts';
import { accountRoute, publicRoute } from '../platform/http/route.ts';
import { clearSessionCookie, sessionToken, setSessionCookie } from './callers.ts';
import * as login from './login.service.ts';
import * as sessions from './session.service.ts';

/** Logging in and out. */
export function sessionRoutes(app: FastifyInstance, context: Context): void {
  publicRoute(app, registerEmail, async ({ body }, { request }) => {
    await login.requestLogin(context, 'register', body.email, request.ip);
    return undefined;
  });
  publicRoute(app, loginEmail, async ({ body }, { request }) => {
    await login.requestLogin(context, 'login', body.email, request.ip);
    return undefined;
  });
  publicRoute(app, verifyLogin, async ({ body }, { request, reply }) => {
    const { token, session } = await login.verifyLogin(context, body, {
      ip: request.ip,
      former: sessionToken(request),
    });
    setSessionCookie(reply, token, context);
    return session;
  });
  accountRoute(app, getSession, async ({ caller }) => sessions.describeSession(context, caller));
  publicRoute(app, logout, async (_, { request, reply }) => {
    const token = sessionToken(request);
    if (token !== null) await sessions.endSession(context, token);
    clearSessionCookie(reply, context);
    return undefined;
  });
}
