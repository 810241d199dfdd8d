import type { FastifyInstance } from 'fastify';

import {
  endOtherSessions,
  endSession,
  getSession,
  listSessions,
  loginEmail,
  logout,
  registerEmail,
  verifyLogin,
} from '../../domain/session/session.endpoints.ts';
import { mailProofCode, prove } from '../../domain/passkey/proof.endpoints.ts';
import type { Context } from '../context.ts';
import { accountRoute, publicRoute } from '../platform/http/route.ts';
import { clearSessionCookie, loginFrom, sessionToken, setSessionCookie } from './callers.ts';
import * as login from './login.service.ts';
import { passkeyRoutes } from './passkey.routes.ts';
import * as proofs from './proof.service.ts';
import * as sessions from './session.service.ts';

/** Logging in and out, the sessions of an account, and what proves them. */
export function sessionRoutes(app: FastifyInstance, context: Context): void {
  passkeyRoutes(app, context);
  publicRoute(app, registerEmail, async ({ body }, { request }) => {
    await login.requestLogin(context, 'register', body.email, request.ip);
    return undefined;
  });
  publicRoute(app, loginEmail, async ({ body }, { request }) => {
    await login.requestLogin(context, 'login', body.email, request.ip);
    return undefined;
  });
  publicRoute(app, verifyLogin, async ({ body }, { request, reply }) => {
    const { token, session } = await login.verifyLogin(context, body, loginFrom(request));
    setSessionCookie(reply, token, context);
    return session;
  });
  accountRoute(app, getSession, async ({ caller }) => sessions.describeSession(context, caller));
  publicRoute(app, logout, async (_, { request, reply }) => {
    const token = sessionToken(request);
    if (token !== null) await sessions.logOut(context, token);
    clearSessionCookie(reply, context);
    return undefined;
  });
  accountRoute(app, listSessions, async ({ caller }) => sessions.listSessions(context, caller));
  accountRoute(app, endSession, async ({ caller, params }, { reply }) => {
    const { isThis } = await sessions.endSession(context, caller, params.uuid);
    if (isThis) clearSessionCookie(reply, context);
    return undefined;
  });
  accountRoute(app, mailProofCode, async ({ caller }, { request }) =>
    proofs.mailProofCode(context, caller, request.ip),
  );
  accountRoute(app, prove, async ({ caller, body }, { request }) =>
    proofs.prove(context, caller, body, request.ip),
  );
  accountRoute(app, endOtherSessions, async ({ caller }) =>
    sessions.endOtherSessions(context, caller),
  );
}
