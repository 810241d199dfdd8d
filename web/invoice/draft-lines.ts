import {
  DEFAULT_VAT_RATE,
  type LineForm,
  type VatRate,
} from '../../domain/invoice/invoice-line.schema.ts';
import type { InvoiceTemplate } from '../../domain/invoice-template/invoice-template.schema.ts';
import type { Draft } from '../ui/Form.tsx';

export type DraftLine = Draft<LineForm>;

/** A form that has lines, under one of these names. */
export type FormWithLines = Partial<Record<'invoiceLines' | 'lines', DraftLine[]>>;

/** Where a line is in such a form. */
export type LinePath = `${keyof FormWithLines}.${number}`;

/** A line to begin with: one of something, its price still missing. */
export function emptyLine(vatRatePercentage: VatRate = DEFAULT_VAT_RATE): DraftLine {
  return { invoicedQuantity: 1, description: '', netUnitAmount: null, vatRatePercentage };
}

/** A template's lines as an invoice's: without the ids, which are the template's own. */
export function linesOfTemplate(template: InvoiceTemplate): LineForm[] {
  return template.lines.map((line) => ({
    invoicedQuantity: line.invoicedQuantity,
    description: line.description,
    netUnitAmount: line.netUnitAmount,
    vatRatePercentage: line.vatRatePercentage,
  }));
}
