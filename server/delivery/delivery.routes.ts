import type { FastifyInstance } from 'fastify';

import { sendInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import { CARRIERS } from './carrier-list.ts';
import { sendAll } from './delivery-dispatch.service.ts';

/** Sending by staff, and what carriers tell by themselves. */
export function deliveryRoutes(app: FastifyInstance, context: Context): void {
  route(app, sendInvoices, async ({ actor }) => {
    await sendAll(context, actor);
    return undefined;
  });
  for (const carrier of CARRIERS) carrier.routes?.(app, context);
}
