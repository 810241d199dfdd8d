import { z } from 'zod';

import { defineEndpoint } from '../api/endpoint.ts';
import {
  customer,
  customerForm,
  customerParams,
  customerUpdate,
  searchQuery,
} from './customer.schema.ts';

export const listCustomers = defineEndpoint({
  id: 'listCustomers',
  method: 'GET',
  path: '/api/customers/',
  summary: 'Every customer, by number',
  access: 'session',
  response: z.array(customer),
});

export const searchCustomers = defineEndpoint({
  id: 'searchCustomers',
  method: 'GET',
  path: '/api/customers/search/',
  summary: 'Customers by number, name, e-mail or organisation number, best match first',
  access: 'session',
  query: searchQuery,
  response: z.array(customer),
});

export const createCustomer = defineEndpoint({
  id: 'createCustomer',
  method: 'POST',
  path: '/api/customers/create/',
  summary: 'Create a customer, numbered by hand or with the next number',
  access: 'session',
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
  access: 'session',
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
  access: 'session',
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
  access: 'session',
  params: customerParams,
  errors: [404, 409],
});
