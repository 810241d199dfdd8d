import type { FastifyInstance } from 'fastify';

import {
  closeCompany,
  deleteAccount,
  getClosing,
  reopenCompany,
} from '../../domain/closing/closing.endpoints.ts';
import type { Context } from '../context.ts';
import { accountRoute, languageOf, route } from '../platform/http/route.ts';
import { clearSessionCookie } from '../account/callers.ts';
import * as accounts from './account-deletion.service.ts';
import * as closings from './closing.service.ts';

/** Closing a company, opening it again, and deleting an account. */
export function closingRoutes(app: FastifyInstance, context: Context): void {
  route(app, getClosing, async ({ actor }, { request }) =>
    closings.getClosing(context, actor, languageOf(request)),
  );
  route(app, closeCompany, async ({ actor, body }, { request }) =>
    closings.closeCompany(context, actor, body, languageOf(request)),
  );
  route(app, reopenCompany, async ({ actor }, { request }) =>
    closings.reopenCompany(context, actor, languageOf(request)),
  );
  accountRoute(app, deleteAccount, async ({ caller, body }, { reply }) => {
    await accounts.deleteAccount(context, caller, body.confirm);
    clearSessionCookie(reply, context);
    return undefined;
  });
}
