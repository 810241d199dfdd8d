import type { FastifyInstance } from 'fastify';

import { resendInvoice, sendInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import type { Context } from '../context.ts';
import { publicRoute, route } from '../http/route.ts';
import { reportBounce, reportComplaint } from '../../domain/delivery/delivery.endpoints.ts';
import { getInvoice } from '../invoice/invoice.service.ts';
import { resend, sendAll } from './delivery-dispatch.service.ts';
import { createNoticeDesk } from './delivery-notice.service.ts';

/** Sending by staff, sending again, and what comes back. */
export function deliveryRoutes(app: FastifyInstance, context: Context): void {
  route(app, sendInvoices, async ({ actor }) => {
    await sendAll(context, actor);
    return undefined;
  });
  route(app, resendInvoice, async ({ actor, params }) => {
    await resend(context, actor, params.invoiceUuid);
    return getInvoice(context, actor, params.invoiceUuid);
  });
  const notices = createNoticeDesk(context);
  for (const endpoint of [reportBounce, reportComplaint]) {
    publicRoute(app, endpoint, async ({ body }) => {
      await notices.receive(body);
      return undefined;
    });
  }
}
