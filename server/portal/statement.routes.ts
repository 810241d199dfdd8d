import type { FastifyInstance } from 'fastify';

import { customerParams } from '../../domain/customer/customer.schema.ts';
import {
  deliverStatement,
  getStatement,
  listStatementDeliveries,
} from '../../domain/portal/statement.endpoints.ts';
import { statementPeriod, statementQuery } from '../../domain/portal/statement.schema.ts';
import type { Context } from '../context.ts';
import { servePdf } from '../document/serve-pdf.ts';
import { AppError } from '../errors.ts';
import { parseQuery, route } from '../platform/http/route.ts';
import * as deliveries from './statement-delivery.service.ts';
import * as files from './statement-file.service.ts';
import * as statements from './statement.service.ts';

/** The statements of customers. */
export function statementRoutes(app: FastifyInstance, context: Context): void {
  route(app, getStatement, async ({ actor, params, query }) =>
    statements.getStatement(context, actor, params.customerNumber, query),
  );
  route(app, listStatementDeliveries, async ({ actor, params }) =>
    deliveries.listDeliveries(context, actor, params.customerNumber),
  );
  route(app, deliverStatement, async ({ actor, params, body }) =>
    deliveries.deliverStatement(context, actor, params.customerNumber, body),
  );
  servePdf(app, context, {
    url: '/customers/:customerNumber/statement/pdf/',
    feature: 'portal',
    parse: (request) => {
      const params = customerParams.safeParse(request.params);
      if (!params.success) throw new AppError('not_found');
      const period = statementPeriod(parseQuery(statementQuery, request.query));
      return { ...params.data, period };
    },
    find: async (actor, name, signal) => files.showStatement(context, actor, name, signal),
  });
}
