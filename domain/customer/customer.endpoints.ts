import { z } from 'zod/mini';

import { defineEndpoint } from '../api/endpoint.ts';
import {
  customer,
  customerForm,
  customerParams,
  customerUpdate,
  searchQuery,
  customerGroup,
  customerGroupForm,
  customerGroupParams,
  customerGroupUpdate,
} from './customer.schema.ts';

export const listCustomers = defineEndpoint({
  id: 'listCustomers',
  method: 'GET',
  path: '/api/customers/',
  summary: 'Every customer, by number',
  permission: 'see',
  response: z.array(customer),
});

export const searchCustomers = defineEndpoint({
  id: 'searchCustomers',
  method: 'GET',
  path: '/api/customers/search/',
  summary: 'Customers by number, name, e-mail or organisation number, best match first',
  permission: 'see',
  query: searchQuery,
  response: z.array(customer),
});

export const createCustomer = defineEndpoint({
  id: 'createCustomer',
  method: 'POST',
  path: '/api/customers/create/',
  summary: 'Create a customer, numbered by hand or with the next number',
  permission: 'edit',
  body: customerForm,
  response: customer,
  status: 201,
  errors: [409],
});

export const updateCustomer = defineEndpoint({
  id: 'updateCustomer',
  method: 'PUT',
  path: '/api/customers/{customerNumber}/update/',
  summary: 'Save a customer; drafts follow, registered invoices keep their copy',
  permission: 'edit',
  params: customerParams,
  body: customerUpdate,
  response: customer,
  errors: [404, 409],
});

export const getCustomer = defineEndpoint({
  id: 'getCustomer',
  method: 'GET',
  path: '/api/customers/{customerNumber}/',
  summary: 'One customer',
  permission: 'see',
  params: customerParams,
  response: customer,
  errors: [404],
});

export const deleteCustomer = defineEndpoint({
  id: 'deleteCustomer',
  method: 'DELETE',
  path: '/api/customers/{customerNumber}/',
  summary:
    'Delete a customer that has no drafts and no credit, and is not the only recipient of an active assignment',
  permission: 'edit',
  params: customerParams,
  errors: [404, 409],
});

export const listCustomerGroups = defineEndpoint({
  id: 'listCustomerGroups',
  method: 'GET',
  path: '/api/customers/groups/',
  summary: 'Every group, by name, with at most its first 100 customers',
  permission: 'see',
  response: z.array(customerGroup),
});

export const searchCustomerGroups = defineEndpoint({
  id: 'searchCustomerGroups',
  method: 'GET',
  path: '/api/customers/groups/search/',
  summary: 'Groups by name, best match first, with at most their first 100 customers',
  permission: 'see',
  query: searchQuery,
  response: z.array(customerGroup),
});

export const createCustomerGroup = defineEndpoint({
  id: 'createCustomerGroup',
  method: 'POST',
  path: '/api/customers/groups/create/',
  summary: 'Create a group',
  permission: 'edit',
  body: customerGroupForm,
  response: customerGroup,
  status: 201,
});

export const updateCustomerGroup = defineEndpoint({
  id: 'updateCustomerGroup',
  method: 'POST',
  path: '/api/customers/groups/{groupUuid}/update/',
  summary: 'Save a group and who is in it',
  permission: 'edit',
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
  permission: 'see',
  params: customerGroupParams,
  response: customerGroup,
  errors: [404],
});

export const deleteCustomerGroup = defineEndpoint({
  id: 'deleteCustomerGroup',
  method: 'DELETE',
  path: '/api/customers/groups/{groupUuid}/',
  summary: 'Delete a group; its customers stay',
  permission: 'edit',
  params: customerGroupParams,
  errors: [404],
});
