import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod/mini';

import type { Quote, QuoteForm, quoteForm } from '../../../domain/quote/quote.schema.ts';
import type { Draft } from '../../forms/Form.tsx';
import { linesOf } from '../editor/draft-values.ts';

/** The values of a quote's form, and the form with them. */
export type QuoteDraft = Draft<z.input<ReturnType<typeof quoteForm>>>;
export type QuoteFormState = UseFormReturn<QuoteDraft, unknown, QuoteForm>;

export function storedQuote(quote: Quote): QuoteDraft {
  const { customerNumber, priceKind, validUntil, confirmByCode, lines } = quote;
  return {
    customerNumber,
    priceKind,
    validUntil,
    title: quote.title ?? '',
    reference: quote.reference ?? '',
    message: quote.message ?? '',
    terms: quote.terms ?? '',
    confirmByCode,
    lines: linesOf(lines),
  };
}
