import type { FastifyInstance } from 'fastify';

import {
  createCustomerGroup,
  deleteCustomerGroup,
  getCustomerGroup,
  listCustomerGroups,
  searchCustomerGroups,
  updateCustomerGroup,
} from '../../domain/customer/customer.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as groups from './customer-group.service.ts';

/** Customer groups. */
export function customerGroupRoutes(app: FastifyInstance, context: Context): void {
  route(app, listCustomerGroups, async ({ actor }) => groups.listGroups(context, actor));
  route(app, searchCustomerGroups, async ({ actor, query }) =>
    groups.searchGroups(context, actor, query),
  );
  route(app, createCustomerGroup, async ({ actor, body }) =>
    groups.createGroup(context, actor, body),
  );
  route(app, updateCustomerGroup, async ({ actor, params, body }) =>
    groups.updateGroup(context, actor, params.groupUuid, body),
  );
  route(app, getCustomerGroup, async ({ actor, params }) =>
    groups.getGroup(context, actor, params.groupUuid),
  );
  route(app, deleteCustomerGroup, async ({ actor, params }) => {
    await groups.deleteGroup(context, actor, params.groupUuid);
    return undefined;
  });
}
