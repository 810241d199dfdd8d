import type { FastifyInstance } from 'fastify';

import {
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  updateProduct,
} from '../../domain/product/product.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as products from './product.service.ts';

/** Products. */
export function productRoutes(app: FastifyInstance, context: Context): void {
  route(app, listProducts, async ({ actor, query }) =>
    products.listProducts(context, actor, query),
  );
  route(app, createProduct, async ({ actor, body }) =>
    products.createProduct(context, actor, body),
  );
  route(app, getProduct, async ({ actor, params }) =>
    products.getProduct(context, actor, params.number),
  );
  route(app, updateProduct, async ({ actor, params, body }) =>
    products.updateProduct(context, actor, params.number, body),
  );
  route(app, deleteProduct, async ({ actor, params }) => {
    await products.deleteProduct(context, actor, params.number);
    return undefined;
  });
}
