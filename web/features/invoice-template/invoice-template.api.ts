import { queryOptions, useMutation } from '@tanstack/react-query';

import {
  createInvoiceTemplate,
  deleteInvoiceTemplate,
  getInvoiceTemplate,
  listInvoiceTemplates,
  updateInvoiceTemplate,
} from '../../../domain/invoice-template/invoice-template.endpoints.ts';
import type {
  InvoiceTemplateForm,
  InvoiceTemplateUpdate,
} from '../../../domain/invoice-template/invoice-template.schema.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

const invoiceTemplateKeys = {
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

export function useCreateInvoiceTemplate() {
  return useMutation({
    mutationFn: async ({ values: body }: Saved<InvoiceTemplateForm>) =>
      call(createInvoiceTemplate, { body }),
    meta: { changes: 'invoice-templates' },
    onSuccess: () => showSuccess('Fakturamal opprettet!', { follows: true }),
  });
}

export function useUpdateInvoiceTemplate(id: number) {
  return useMutation({
    mutationFn: async ({ values, version }: Saved<InvoiceTemplateUpdate>) =>
      call(updateInvoiceTemplate, {
        params: { invoiceTemplatePk: id },
        body: { ...values, version },
      }),
    meta: { changes: 'invoice-templates', answers: invoiceTemplateKeys.detail(id) },
    onSuccess: () => showSuccess('Fakturamal oppdatert!', { follows: true }),
  });
}

export function useDeleteInvoiceTemplate() {
  return useMutation({
    mutationFn: async (invoiceTemplatePk: number) =>
      call(deleteInvoiceTemplate, { params: { invoiceTemplatePk } }),
    meta: { changes: 'invoice-templates', renewal: 'nextScreen' },
    onSuccess: () => showSuccess('Fakturamal slettet!', { follows: true }),
  });
}
