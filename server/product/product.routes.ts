import type { FastifyInstance } from 'fastify';

import {
  createProduct,
  deleteProduct,
  getProduct,
  importProducts,
  listProducts,
  updateProduct,
} from '../../domain/product/product.endpoints.ts';
import type { Context } from '../context.ts';
import { languageOf, route } from '../platform/http/route.ts';
import * as imports from './product-import.service.ts';
import * as products from './product.service.ts';

/** Products. */
export function productRoutes(app: FastifyInstance, context: Context): void {
  route(app, listProducts, async ({ actor, query }) =>
    products.listProducts(context, actor, query),
  );
  route(app, createProduct, async ({ actor, body }) =>
    products.createProduct(context, actor, body),
  );
  route(app, importProducts, async ({ actor, query, body }, { request }) => {
    const run = query.dryRun ? imports.tryImport : imports.importProducts;
    return run(context, actor, body, languageOf(request));
  });
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
