import type { FastifyInstance } from 'fastify';

import { listProposals, sendReminders } from '../../domain/reminder/reminder.endpoints.ts';
import type { Context } from '../context.ts';
import { sentenceOf } from '../errors.ts';
import { languageOf } from '../platform/http/error-answers.ts';
import { route } from '../platform/http/route.ts';
import { sendProposals } from './proposal-sending.service.ts';
import { listProposals as list } from './proposal.service.ts';

/** Lists and sends proposed reminders. */
export function proposalRoutes(app: FastifyInstance, context: Context): void {
  route(app, listProposals, async ({ actor, query }, { request }) =>
    list(context, actor, query.page, languageOf(request)),
  );
  route(app, sendReminders, async ({ actor, body }, { request }) => {
    const { sent, skipped, waiting } = await sendProposals(context, actor, body.uuids);
    const language = languageOf(request);
    return {
      sent,
      skipped: skipped.map(({ uuid, reason }) => ({ uuid, message: sentenceOf(reason, language) })),
      ...(waiting.length > 0 && { waiting: [...waiting] }),
    };
  });
}
