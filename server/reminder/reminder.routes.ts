import type { FastifyInstance } from 'fastify';

import * as endpoints from '../../domain/reminder/reminder.endpoints.ts';
import { reminderParams } from '../../domain/reminder/reminder.schema.ts';
import type { Context } from '../context.ts';
import { servePdf } from '../document/serve-pdf.ts';
import { AppError } from '../errors.ts';
import { route, untilGone } from '../platform/http/route.ts';
import * as calls from './reminder-calls.service.ts';

/** Reminders of invoices, and their PDFs. */
export function reminderRoutes(app: FastifyInstance, context: Context): void {
  route(app, endpoints.listReminders, async ({ actor, params }) =>
    calls.listReminders(context, actor, params.invoiceUuid),
  );
  route(app, endpoints.createReminder, async ({ actor, params, query, body }) => {
    const make = query.dryRun ? calls.tryReminder : calls.createReminder;
    return make(context, actor, params.invoiceUuid, body);
  });
  route(app, endpoints.previewReminder, async ({ actor, params, query }, { reply }) => {
    const wish = { ...query, dueDate: query.dueDate ?? null };
    const wanted = { invoiceUuid: params.invoiceUuid, wish };
    reply.header('cache-control', 'no-store');
    return Buffer.from(await calls.previewReminder(context, actor, wanted, untilGone(reply)));
  });
  route(app, endpoints.deliverReminder, async ({ actor, params, body }) =>
    calls.deliverReminder(context, actor, params, body.recipient),
  );
  route(app, endpoints.waiveReminders, async ({ actor, params }) =>
    calls.waiveReminders(context, actor, params.invoiceUuid),
  );
  servePdf(app, context, {
    url: '/invoices/:invoiceUuid/reminders/:reminderUuid/pdf/',
    feature: 'reminders',
    parse: (request) => {
      const params = reminderParams.safeParse(request.params);
      if (!params.success) throw new AppError('not_found');
      return params.data;
    },
    find: async (actor, name, signal) => calls.showReminder(context, actor, name, signal),
  });
}
