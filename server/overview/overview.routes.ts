import type { FastifyInstance } from 'fastify';

import {
  createOverviewLink,
  deleteOverviewLink,
  getOverview,
  listOverviewLinks,
} from '../../domain/overview/overview.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as links from './overview-link.service.ts';
import * as overview from './overview.service.ts';

/** The overview of a company, and the links to it. */
export function overviewRoutes(app: FastifyInstance, context: Context): void {
  route(app, getOverview, async ({ actor, query }) => overview.getOverview(context, actor, query));
  route(app, listOverviewLinks, async ({ actor }) => links.listLinks(context, actor));
  route(app, createOverviewLink, async ({ actor, body }) => links.createLink(context, actor, body));
  route(app, deleteOverviewLink, async ({ actor, params }) =>
    links.deleteLink(context, actor, params.uuid),
  );
}
