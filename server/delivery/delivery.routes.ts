import type { FastifyInstance } from 'fastify';

import { sendInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import { CARRIERS } from './carriers-in-use.service.ts';
import { sendAll } from './delivery-making.service.ts';

/** Sending by staff, and the calls of each carrier. */
export function deliveryRoutes(app: FastifyInstance, context: Context): void {
  route(app, sendInvoices, async ({ actor }) => {
    await sendAll(context, actor);
    return undefined;
  });
  for (const carrier of CARRIERS) carrier.routes?.(app, context);
}
