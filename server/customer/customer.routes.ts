import type { FastifyInstance } from 'fastify';

import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  listCustomers,
  searchCustomers,
  updateCustomer,
} from '../../domain/customer/customer.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as customers from './customer.service.ts';

/** Customers. `beforeDeletion` runs the checks of concepts that this one must not import. */
export function customerRoutes(
  app: FastifyInstance,
  context: Context,
  beforeDeletion: customers.BeforeDeletion,
): void {
  route(app, listCustomers, async ({ actor }) => customers.listCustomers(context, actor));
  route(app, searchCustomers, async ({ actor, query }) =>
    customers.searchCustomers(context, actor, query),
  );
  route(app, createCustomer, async ({ actor, body }) =>
    customers.createCustomer(context, actor, body),
  );
  route(app, updateCustomer, async ({ actor, params, body }) =>
    customers.updateCustomer(context, actor, params.customerNumber, body),
  );
  route(app, getCustomer, async ({ actor, params }) =>
    customers.getCustomer(context, actor, params.customerNumber),
  );
  route(app, deleteCustomer, async ({ actor, params }) => {
    await customers.deleteCustomer(context, actor, params.customerNumber, beforeDeletion);
    return undefined;
  });
}
