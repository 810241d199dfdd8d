import type { FastifyInstance } from 'fastify';

import { getCustomerEhf as getCustomerEhfEndpoint } from '../../../../domain/ehf/ehf.endpoints.ts';
import type { Context } from '../../../context.ts';
import { route } from '../../../platform/http/route.ts';
import { getCustomerEhf } from './reachability.service.ts';

/** Answers whether a customer can receive EHF. */
export function reachabilityRoutes(app: FastifyInstance, context: Context): void {
  route(app, getCustomerEhfEndpoint, async ({ actor, params }) =>
    getCustomerEhf(context, actor, params.customerNumber),
  );
}
