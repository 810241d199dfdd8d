import type { FastifyInstance } from 'fastify';

import * as endpoints from '../../domain/reminder/reminder.endpoints.ts';
import { reminderParams } from '../../domain/reminder/reminder.schema.ts';
import type { Context } from '../context.ts';
import { servePdf } from '../document/serve-pdf.ts';
import { AppError } from '../errors.ts';
import { languageOf, route, untilGone } from '../platform/http/route.ts';
import { listProposals, sendProposals } from './proposal.service.ts';
import * as reminders from './reminder.service.ts';

/** Reminders of invoices, and the proposed ones. */
export function reminderRoutes(app: FastifyInstance, context: Context): void {
  route(app, endpoints.listReminders, async ({ actor, params }) =>
    reminders.listReminders(context, actor, params.invoiceUuid),
  );
  route(app, endpoints.createReminder, async ({ actor, params, query, body }) => {
    const make = query.dryRun ? reminders.tryReminder : reminders.createReminder;
    return make(context, actor, params.invoiceUuid, body);
  });
  route(app, endpoints.previewReminder, async ({ actor, params, query }, { reply }) => {
    const wish = { ...query, dueDate: query.dueDate ?? null };
    const wanted = { invoiceUuid: params.invoiceUuid, wish };
    reply.header('cache-control', 'no-store');
    return Buffer.from(await reminders.previewReminder(context, actor, wanted, untilGone(reply)));
  });
  route(app, endpoints.deliverReminder, async ({ actor, params, body }) =>
    reminders.deliverReminder(context, actor, params, body.recipient),
  );
  route(app, endpoints.waiveReminders, async ({ actor, params }) =>
    reminders.waiveReminders(context, actor, params.invoiceUuid),
  );
  servePdf(app, context, {
    url: '/invoices/:invoiceUuid/reminders/:reminderUuid/pdf/',
    feature: 'reminders',
    parse: (request) => {
      const params = reminderParams.safeParse(request.params);
      if (!params.success) throw new AppError('not_found');
      return params.data;
    },
    find: async (actor, name, signal) => reminders.showReminder(context, actor, name, signal),
  });
  route(app, endpoints.listProposals, async ({ actor, query }, { request }) =>
    listProposals(context, actor, query.page, languageOf(request)),
  );
  route(app, endpoints.sendReminders, async ({ actor, body }, { request }) =>
    sendProposals(context, actor, body.uuids, languageOf(request)),
  );
}
