import type { FastifyInstance } from 'fastify';

import { getStatement } from '../../domain/portal/statement.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as statements from './statement.service.ts';

/** The statements of customers. */
export function statementRoutes(app: FastifyInstance, context: Context): void {
  route(app, getStatement, async ({ actor, params, query }) =>
    statements.getStatement(context, actor, params.customerNumber, query),
  );
}
