import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import { acceptQuote, declineQuote } from '../../../domain/quote/offer.endpoints.ts';
import {
  addQuoteAttachment,
  listQuoteAttachments,
  removeQuoteAttachment,
} from '../../../domain/quote/quote-attachment.endpoints.ts';
import {
  createQuote,
  deleteQuote,
  getQuote,
  getQuoteHistory,
  invoiceQuote,
  listQuotes,
  reviseQuote,
  sendQuote,
  updateQuote,
  withdrawQuote,
} from '../../../domain/quote/quote.endpoints.ts';
import type { Quote, QuoteForm } from '../../../domain/quote/quote.schema.ts';
import type { ListedQuoteState } from '../../../domain/quote/quote.state.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask, call } from '../../lib/client.ts';
import { paths } from '../../lib/paths.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { upload } from '../../lib/upload.ts';
import type { Added, Attached } from '../attachment/attachment.api.ts';

const POLL_MS = 2_000;

interface QuoteFilter {
  readonly query: string;
  readonly state: ListedQuoteState | undefined;
  readonly page: number;
}

/** A page of the quotes, newest first, with the sums of all. The previous page is shown until the new one arrives. */
export function quotesQuery(filter: QuoteFilter) {
  return queryOptions({
    ...ask('quotes', listQuotes, { query: filter }),
    placeholderData: keepPreviousData,
  });
}

/** One quote. Polled while a mail of it is on its way. */
export function quoteQuery(quoteUuid: string) {
  return queryOptions({
    ...ask('quotes', getQuote, { params: { quoteUuid } }),
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some(({ status }) => status === 'QUEUED') ? POLL_MS : false,
  });
}

/** The history of a quote. Its key has the quote's version and deliveries, so that a change reads it again. */
export function quoteHistoryQuery({ uuid: quoteUuid, version, state, deliveries }: Quote) {
  const moment = [version, state, ...deliveries.map(({ status }) => status)].join();
  const asked = ask('quotes', getQuoteHistory, { params: { quoteUuid } }, moment);
  return queryOptions({ ...asked, placeholderData: keepPreviousData });
}

export function useCreateQuote() {
  return useMutation({
    mutationFn: async ({ values: body }: Versioned<QuoteForm>) => call(createQuote, { body }),
    meta: { changes: 'quotes' },
    onSuccess: () => showSuccess('Tilbud opprettet!', { follows: true }),
  });
}

export function useUpdateQuote(quoteUuid: string) {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<QuoteForm>) =>
      call(updateQuote, { params: { quoteUuid }, body: { ...values, version: version ?? 0 } }),
    meta: { changes: 'quotes', answers: quoteQuery(quoteUuid).queryKey },
    onSuccess: () => showSuccess('Tilbud oppdatert!', { follows: true }),
  });
}

/** Deletes a draft. @param revision of which only the draft goes, and the quote is as it was sent; null for a whole quote */
export function useDeleteQuote(revision: number | null) {
  return useMutation({
    mutationFn: async (quoteUuid: string) => call(deleteQuote, { params: { quoteUuid } }),
    meta: { changes: 'quotes', renewal: revision === null ? 'nextScreen' : 'pending' },
    onSuccess: () =>
      showSuccess(revision === null ? 'Tilbud slettet!' : `Versjon ${revision} slettet!`, {
        follows: true,
      }),
  });
}

export function useSendQuote(quoteUuid: string) {
  return useMutation({
    mutationFn: async (recipient: string | null) =>
      call(sendQuote, { params: { quoteUuid }, body: { recipient } }),
    meta: { changes: 'quotes', answers: quoteQuery(quoteUuid).queryKey },
    onSuccess: () => showSuccess('Tilbud sendt!'),
  });
}

export function useAcceptQuote(quoteUuid: string) {
  return useMutation({
    mutationFn: async ({ values: body }: Versioned<RequestOf<typeof acceptQuote>['body']>) =>
      call(acceptQuote, { params: { quoteUuid }, body }),
    meta: { changes: 'quotes', answers: quoteQuery(quoteUuid).queryKey },
    onSuccess: () => showSuccess('Tilbudet er markert som godtatt.'),
  });
}

export function useDeclineQuote(quoteUuid: string) {
  return useMutation({
    mutationFn: async ({ values: body }: Versioned<RequestOf<typeof declineQuote>['body']>) =>
      call(declineQuote, { params: { quoteUuid }, body }),
    meta: { changes: 'quotes', answers: quoteQuery(quoteUuid).queryKey },
    onSuccess: () => showSuccess('Tilbudet er markert som avslått.'),
  });
}

export function useWithdrawQuote(quoteUuid: string) {
  return useMutation({
    mutationFn: async () => call(withdrawQuote, { params: { quoteUuid } }),
    meta: { changes: 'quotes', answers: quoteQuery(quoteUuid).queryKey },
    onSuccess: () => showSuccess('Tilbudet er trukket tilbake.'),
  });
}

/** @param onRevised called also when the button has gone, which the new state takes away */
export function useReviseQuote(quoteUuid: string, onRevised: () => void) {
  return useMutation({
    mutationFn: async () => call(reviseQuote, { params: { quoteUuid } }),
    meta: { changes: 'quotes', answers: quoteQuery(quoteUuid).queryKey },
    onSuccess: onRevised,
  });
}

export function useInvoiceQuote(quoteUuid: string) {
  return useMutation({
    mutationFn: async ({ values: body }: Versioned<RequestOf<typeof invoiceQuote>['body']>) =>
      call(invoiceQuote, { params: { quoteUuid }, body }),
    meta: { changes: 'new-invoices' },
    onSuccess: () => showSuccess('Faktura opprettet!', { follows: true }),
  });
}

/** The files of the newest revision. Each change of the quote may lead to another revision, with other files. */
export function quoteFilesQuery(quoteUuid: string) {
  return ask('quotes', listQuoteAttachments, { params: { quoteUuid } });
}

export function useQuoteFiles(quoteUuid: string): Attached {
  const params = { quoteUuid };
  const files = quoteFilesQuery(quoteUuid);
  const queryClient = useQueryClient();
  return {
    query: useQuery(files),
    latest: () => queryClient.getQueryData(files.queryKey) ?? [],
    add: useMutation({
      mutationFn: async ({ file, onProgress }: Added) =>
        upload(addQuoteAttachment, { params, query: { name: file.name } }, file, { onProgress }),
      meta: { changes: 'quotes', isShownInPlace: true },
    }),
    remove: useMutation({
      mutationFn: async (uuid: string) =>
        call(removeQuoteAttachment, { params: { ...params, uuid } }),
      meta: { changes: 'quotes' },
    }),
    pathOf: (uuid) => paths.attachment('quotes', quoteUuid, uuid),
  };
}
