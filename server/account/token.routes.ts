import type { FastifyInstance } from 'fastify';

import { createToken, deleteToken, listTokens } from '../../domain/token/token.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as tokens from './token.service.ts';

/** The API keys that members make. */
export function tokenRoutes(app: FastifyInstance, context: Context): void {
  route(app, listTokens, async ({ actor }) => tokens.listTokens(context, actor));
  route(app, createToken, async ({ actor, body }) => tokens.createToken(context, actor, body));
  route(app, deleteToken, async ({ actor, params }) =>
    tokens.deleteToken(context, actor, params.uuid),
  );
}
