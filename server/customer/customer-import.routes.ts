import type { FastifyInstance } from 'fastify';

import { importCustomers } from '../../domain/customer/customer.endpoints.ts';
import type { Context } from '../context.ts';
import { languageOf } from '../platform/http/error-answers.ts';
import { route } from '../platform/http/route.ts';
import * as imports from './customer-import.service.ts';

/** The import of many customers. */
export function customerImportRoutes(app: FastifyInstance, context: Context): void {
  route(app, importCustomers, async ({ actor, query, body }, { request }) => {
    const run = query.dryRun ? imports.tryImport : imports.importCustomers;
    return run(context, actor, body, languageOf(request));
  });
}
