import type { FastifyInstance } from 'fastify';

import { listProposals } from '../../domain/reminder/reminder.endpoints.ts';
import type { Context } from '../context.ts';
import { languageOf } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { listProposals as list } from './proposal.service.ts';

/** What is to be reminded of. */
export function proposalRoutes(app: FastifyInstance, context: Context): void {
  route(app, listProposals, async ({ actor, query }, { request }) =>
    list(context, actor, query.page, languageOf(request)),
  );
}
