import type { FastifyInstance } from 'fastify';

import { importCustomers } from '../../domain/customer/customer-import.endpoints.ts';
import {
  createCustomer,
  createCustomerGroup,
  deleteCustomer,
  deleteCustomerGroup,
  getCustomer,
  getCustomerGroup,
  listCustomerGroups,
  listCustomers,
  searchCustomerGroups,
  searchCustomers,
  updateCustomer,
  updateCustomerGroup,
} from '../../domain/customer/customer.endpoints.ts';
import type { BeforeChange, Context } from '../context.ts';
import { route, languageOf } from '../platform/http/route.ts';
import * as customers from './customer.service.ts';
import * as groups from './customer-group.service.ts';
import * as imports from './customer-import.service.ts';

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

/** Customer groups. `beforeChange` runs the checks of concepts that this one must not import. */
export function customerGroupRoutes(
  app: FastifyInstance,
  context: Context,
  beforeChange: BeforeChange<groups.ChangedGroup>,
): void {
  route(app, listCustomerGroups, async ({ actor }) => groups.listGroups(context, actor));
  route(app, searchCustomerGroups, async ({ actor, query }) =>
    groups.searchGroups(context, actor, query),
  );
  route(app, createCustomerGroup, async ({ actor, body }) =>
    groups.createGroup(context, actor, body),
  );
  route(app, updateCustomerGroup, async ({ actor, params, body }) =>
    groups.updateGroup(context, actor, params.groupUuid, body, beforeChange),
  );
  route(app, getCustomerGroup, async ({ actor, params }) =>
    groups.getGroup(context, actor, params.groupUuid),
  );
  route(app, deleteCustomerGroup, async ({ actor, params }) => {
    await groups.deleteGroup(context, actor, params.groupUuid);
    return undefined;
  });
}

/** The import of many customers. */
export function customerImportRoutes(
  app: FastifyInstance,
  context: Context,
  beforeGroupChange: BeforeChange<groups.ChangedGroup>,
): void {
  route(app, importCustomers, async ({ actor, query, body }, { request }) => {
    const language = languageOf(request);
    return query.dryRun
      ? imports.tryImport(context, actor, body, language)
      : imports.importCustomers(context, actor, body, language, beforeGroupChange);
  });
}
