import type { FastifyInstance } from 'fastify';

import { resendInvoice, sendInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../http/route.ts';
import { getInvoice } from '../invoice/invoice.service.ts';
import { CARRIERS } from './carriers.ts';
import { resend } from './delivery-again.service.ts';
import { sendAll } from './delivery-dispatch.service.ts';

/** Sending by staff, sending again, and what carriers tell by themselves. */
export function deliveryRoutes(app: FastifyInstance, context: Context): void {
  route(app, sendInvoices, async ({ actor }) => {
    await sendAll(context, actor);
    return undefined;
  });
  route(app, resendInvoice, async ({ actor, params }) => {
    await resend(context, actor, params.invoiceUuid);
    return getInvoice(context, actor, params.invoiceUuid);
  });
  for (const carrier of CARRIERS) carrier.routes?.(app, context);
}
