import { useMutation } from '@tanstack/react-query';

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
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';

export const invoiceTemplatesQuery = ask('invoice-templates', listInvoiceTemplates, {});

export function invoiceTemplateQuery(id: number) {
  return ask('invoice-templates', getInvoiceTemplate, { params: { invoiceTemplatePk: id } });
}

export function useCreateInvoiceTemplate() {
  return useMutation({
    mutationFn: async ({ values: body }: Versioned<InvoiceTemplateForm>) =>
      call(createInvoiceTemplate, { body }),
    meta: { changes: 'invoice-templates' },
    onSuccess: () => showSuccess('Fakturamal opprettet!', { follows: true }),
  });
}

export function useUpdateInvoiceTemplate(id: number) {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<InvoiceTemplateUpdate>) =>
      call(updateInvoiceTemplate, {
        params: { invoiceTemplatePk: id },
        body: { ...values, version },
      }),
    meta: { changes: 'invoice-templates', answers: invoiceTemplateQuery(id).queryKey },
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
