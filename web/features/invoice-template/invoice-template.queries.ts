import { queryOptions } from '@tanstack/react-query';

import {
  getInvoiceTemplate,
  listInvoiceTemplates,
} from '../../../domain/invoice-template/invoice-template.endpoints.ts';
import { call } from '../../lib/client.ts';

export const invoiceTemplateKeys = {
  all: ['invoice-templates'] as const,
  list: ['invoice-templates', 'list'] as const,
  detail: (id: number) => [...invoiceTemplateKeys.all, 'detail', id] as const,
};

export const invoiceTemplatesQuery = queryOptions({
  queryKey: invoiceTemplateKeys.list,
  queryFn: async ({ signal }) => call(listInvoiceTemplates, {}, signal),
});

export function invoiceTemplateQuery(id: number) {
  return queryOptions({
    queryKey: invoiceTemplateKeys.detail(id),
    queryFn: async ({ signal }) =>
      call(getInvoiceTemplate, { params: { invoiceTemplatePk: id } }, signal),
  });
}
