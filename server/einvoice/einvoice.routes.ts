import type { FastifyInstance } from 'fastify';

import {
  getEhfCheck,
  getEInvoiceSettings,
  listCustomersEhf,
  startEhfCheck,
  updateEInvoiceSettings,
} from '../../domain/einvoice/einvoice.endpoints.ts';
import { getDocumentEInvoice } from '../../domain/invoice/invoice.endpoints.ts';
import type { Context } from '../context.ts';
import { route } from '../platform/http/route.ts';
import * as check from './ehf-check.service.ts';
import { getSettings, updateSettings } from './einvoice-settings.service.ts';
import { getEInvoice } from './einvoice.service.ts';

/** E-invoices by law. */
export function einvoiceRoutes(app: FastifyInstance, context: Context): void {
  route(app, getDocumentEInvoice, async ({ actor, params }) =>
    getEInvoice(context, actor, params.invoiceStr),
  );
  route(app, getEInvoiceSettings, async ({ actor }) => getSettings(context, actor));
  route(app, updateEInvoiceSettings, async ({ actor, body }) =>
    updateSettings(context, actor, body),
  );
  route(app, startEhfCheck, async ({ actor }) => check.startCheck(context, actor));
  route(app, getEhfCheck, async ({ actor }) => check.getCheck(context, actor));
  route(app, listCustomersEhf, async ({ actor }) => check.listCustomersEhf(context, actor));
}
