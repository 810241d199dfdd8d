import type { FastifyInstance } from 'fastify';

import {
  createInvoiceTemplate,
  deleteInvoiceTemplate,
  getInvoiceTemplate,
  listInvoiceTemplates,
  updateInvoiceTemplate,
} from '../../domain/invoice-template/invoice-template.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as templates from './invoice-template.service.ts';

export function invoiceTemplateRoutes(app: FastifyInstance, context: Context): void {
  route(app, listInvoiceTemplates, async ({ actor }) => templates.listTemplates(context, actor));
  route(app, createInvoiceTemplate, async ({ actor, body }) =>
    templates.createTemplate(context, actor, body),
  );
  route(app, updateInvoiceTemplate, async ({ actor, params, body }) =>
    templates.updateTemplate(context, actor, params.invoiceTemplatePk, body),
  );
  route(app, getInvoiceTemplate, async ({ actor, params }) =>
    templates.getTemplate(context, actor, params.invoiceTemplatePk),
  );
  route(app, deleteInvoiceTemplate, async ({ actor, params }) => {
    await templates.deleteTemplate(context, actor, params.invoiceTemplatePk);
    return undefined;
  });
}
