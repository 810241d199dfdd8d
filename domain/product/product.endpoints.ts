import { defineEndpoint, NO_FEATURES } from '../api/endpoint.ts';
import { IMPORT_BYTES_MAX } from '../api/list-import.ts';
import { dryRunQuery } from '../api/validation.ts';
import { productImport, productImportResult } from './product-import.schema.ts';
import {
  product,
  productForm,
  productListQuery,
  productPage,
  productParams,
  productUpdate,
} from './product.schema.ts';

export const listProducts = defineEndpoint({
  id: 'listProducts',
  method: 'GET',
  path: '/api/products/',
  summary: 'A page of products by number; with a query those that match, the best first',
  permission: 'see',
  feature: 'products',
  query: productListQuery,
  response: productPage,
});

export const createProduct = defineEndpoint({
  id: 'createProduct',
  method: 'POST',
  path: '/api/products/create/',
  summary: 'Create a product, numbered by hand or by counting',
  permission: 'edit',
  feature: 'products',
  body: productForm(NO_FEATURES),
  bodyFor: productForm,
  response: product,
  status: 201,
  errors: [409],
});

export const getProduct = defineEndpoint({
  id: 'getProduct',
  method: 'GET',
  path: '/api/products/{number}/',
  summary: 'One product',
  permission: 'see',
  feature: 'products',
  params: productParams,
  response: product,
  errors: [404],
});

export const updateProduct = defineEndpoint({
  id: 'updateProduct',
  method: 'PUT',
  path: '/api/products/{number}/',
  summary: 'Save a product; lines keep their copies',
  permission: 'edit',
  feature: 'products',
  params: productParams,
  body: productUpdate(NO_FEATURES),
  bodyFor: productUpdate,
  response: product,
  errors: [404, 409],
});

export const deleteProduct = defineEndpoint({
  id: 'deleteProduct',
  method: 'DELETE',
  path: '/api/products/{number}/',
  summary: 'Delete a product; lines keep their copies',
  permission: 'edit',
  feature: 'products',
  params: productParams,
  errors: [404],
});

export const importProducts = defineEndpoint({
  id: 'importProducts',
  method: 'POST',
  path: '/api/products/import/',
  summary: 'Add and save many products: all of them, or none when a row has a fault',
  permission: 'edit',
  feature: 'products',
  query: dryRunQuery,
  body: productImport,
  largestBody: IMPORT_BYTES_MAX,
  makes: true,
  response: productImportResult,
  errors: [409],
});
