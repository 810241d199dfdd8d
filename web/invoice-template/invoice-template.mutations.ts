import { useMutation, useQueryClient } from '@tanstack/react-query';

import {
  createInvoiceTemplate,
  deleteInvoiceTemplate,
  updateInvoiceTemplate,
} from '../../domain/invoice-template/invoice-template.endpoints.ts';
import type {
  InvoiceTemplateForm,
  InvoiceTemplateUpdate,
} from '../../domain/invoice-template/invoice-template.schema.ts';
import { call } from '../api/client.ts';
import { showSuccess } from '../ui/toasts.ts';
import { invoiceTemplateKeys } from './invoice-template.queries.ts';

export function useCreateInvoiceTemplate() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: InvoiceTemplateForm) => call(createInvoiceTemplate, { body }),
    onSuccess: async () => {
      showSuccess('Fakturamal opprettet!', { follows: true });
      await queryClient.invalidateQueries({ queryKey: invoiceTemplateKeys.all });
    },
  });
}

export function useUpdateInvoiceTemplate(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: InvoiceTemplateUpdate) =>
      call(updateInvoiceTemplate, { params: { invoiceTemplatePk: id }, body }),
    onSuccess: async (template) => {
      showSuccess('Fakturamal oppdatert!', { follows: true });
      queryClient.setQueryData(invoiceTemplateKeys.detail(id), template);
      await queryClient.invalidateQueries({ queryKey: invoiceTemplateKeys.list() });
    },
  });
}

export function useDeleteInvoiceTemplate(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call(deleteInvoiceTemplate, { params: { invoiceTemplatePk: id } }),
    onSuccess: async () => {
      showSuccess('Fakturamal slettet!', { follows: true });
      // Not asked for again while its screen is still there: that would answer 404.
      await queryClient.invalidateQueries({
        queryKey: invoiceTemplateKeys.detail(id),
        refetchType: 'none',
      });
      await queryClient.invalidateQueries({ queryKey: invoiceTemplateKeys.list() });
    },
  });
}
