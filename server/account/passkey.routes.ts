import type { FastifyInstance } from 'fastify';

import {
  addPasskey,
  deletePasskey,
  getLoginOptions,
  getPasskeyOptions,
  getProofOptions,
  listPasskeys,
  loginWithPasskey,
  renamePasskey,
} from '../../domain/passkey/passkey.endpoints.ts';
import type { Context } from '../context.ts';
import { accountRoute, publicRoute } from '../platform/http/route.ts';
import { loginFrom, setSessionCookie } from './callers.ts';
import * as passkeys from './passkey.service.ts';

/** The passkeys of an account, and logging in with one. */
export function passkeyRoutes(app: FastifyInstance, context: Context): void {
  const { db } = context;
  accountRoute(app, getPasskeyOptions, async ({ caller }) =>
    passkeys.getCreationOptions(context, caller),
  );
  accountRoute(app, addPasskey, async ({ caller, body }, { request }) =>
    passkeys.addPasskey(context, caller, body, request.ip),
  );
  accountRoute(app, listPasskeys, async ({ caller }) => passkeys.listPasskeys(db, caller));
  accountRoute(app, renamePasskey, async ({ caller, params, body }) =>
    passkeys.renamePasskey(db, caller, params.uuid, body.name),
  );
  accountRoute(app, deletePasskey, async ({ caller, params }) =>
    passkeys.deletePasskey(context, caller, params.uuid),
  );
  accountRoute(app, getProofOptions, async ({ caller }) =>
    passkeys.getProofOptions(context, caller),
  );
  publicRoute(app, getLoginOptions, async () => passkeys.getLoginOptions(context));
  publicRoute(app, loginWithPasskey, async ({ body }, { request, reply }) => {
    const { token, session } = await passkeys.logIn(context, body.response, loginFrom(request));
    setSessionCookie(reply, token, context);
    return session;
  });
}
