import { z } from 'zod';

import { defineEndpoint } from '../api/endpoint.ts';
import { searchQuery } from '../customer/customer.schema.ts';
import {
  customerGroup,
  customerGroupForm,
  customerGroupParams,
  customerGroupUpdate,
} from './customer-group.schema.ts';

export const listCustomerGroups = defineEndpoint({
  id: 'listCustomerGroups',
  method: 'GET',
  path: '/api/customers/groups/',
  summary: 'Every group, by name, with at most its first 100 customers',
  access: 'session',
  response: z.array(customerGroup),
});

export const searchCustomerGroups = defineEndpoint({
  id: 'searchCustomerGroups',
  method: 'GET',
  path: '/api/customers/groups/search/',
  summary: 'Groups by name, best match first, with at most their first 100 customers',
  access: 'session',
  query: searchQuery,
  response: z.array(customerGroup),
});

export const createCustomerGroup = defineEndpoint({
  id: 'createCustomerGroup',
  method: 'POST',
  path: '/api/customers/groups/create/',
  summary: 'Create a group',
  access: 'session',
  body: customerGroupForm,
  response: customerGroup,
  status: 201,
});

export const updateCustomerGroup = defineEndpoint({
  id: 'updateCustomerGroup',
  method: 'POST',
  path: '/api/customers/groups/{groupUuid}/update/',
  summary: 'Save a group and who is in it',
  access: 'session',
  params: customerGroupParams,
  body: customerGroupUpdate,
  response: customerGroup,
  errors: [404, 409],
});

export const getCustomerGroup = defineEndpoint({
  id: 'getCustomerGroup',
  method: 'GET',
  path: '/api/customers/groups/{groupUuid}/',
  summary: 'One group with all its customers',
  access: 'session',
  params: customerGroupParams,
  response: customerGroup,
  errors: [404],
});

export const deleteCustomerGroup = defineEndpoint({
  id: 'deleteCustomerGroup',
  method: 'DELETE',
  path: '/api/customers/groups/{groupUuid}/',
  summary: 'Delete a group; its customers stay',
  access: 'session',
  params: customerGroupParams,
  errors: [404],
});
