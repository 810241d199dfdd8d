import type { FastifyInstance } from 'fastify';

import { getOverview } from '../../domain/overview/overview.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as overview from './overview.service.ts';

/** The overview of a company. */
export function overviewRoutes(app: FastifyInstance, context: Context): void {
  route(app, getOverview, async ({ actor, query }) => overview.getOverview(context, actor, query));
}
