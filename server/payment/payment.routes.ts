import type { FastifyInstance } from 'fastify';

import {
  createPayment,
  dropPayment,
  listPayments,
  placePayment,
  refundPayment,
  undoPayment,
} from '../../domain/payment/payment.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as payments from './payment.service.ts';

/**
 * Routes of payments; bank files have their own.
 * @param isExported whether an export that books payments has this one
 */
export function paymentRoutes(
  app: FastifyInstance,
  context: Context,
  isExported: payments.IsExported,
): void {
  route(app, listPayments, async ({ actor, query }) =>
    payments.listPayments(context, actor, query),
  );
  route(app, createPayment, async ({ actor, body }) =>
    payments.createPayment(context, actor, body),
  );
  route(app, placePayment, async ({ actor, params, body }) =>
    payments.placePayment({ ...context, isExported }, actor, params.paymentUuid, body.invoiceUuid),
  );
  route(app, undoPayment, async ({ actor, params }) =>
    payments.undoPayment(context, actor, params.paymentUuid),
  );
  route(app, refundPayment, async ({ actor, params }) =>
    payments.refundPayment(context, actor, params.paymentUuid),
  );
  route(app, dropPayment, async ({ actor, params }) => {
    await payments.dropPayment(context, actor, params.paymentUuid);
    return undefined;
  });
}
