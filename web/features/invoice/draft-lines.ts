import { defaultVatRate, type LineForm } from '../../../domain/invoice/invoice-line.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import type { Draft } from '../../forms/Form.tsx';

export type DraftLine = Draft<LineForm>;

/** A form that has lines, under one of these names. */
export type FormWithLines = Partial<Record<'invoiceLines' | 'lines', DraftLine[]>>;

/** Where a line is in such a form. */
export type LinePath = `${keyof FormWithLines}.${number}`;

/** A line to begin with: one of something, its price still missing. */
export function emptyLine(vatRegistered: boolean): DraftLine {
  return {
    invoicedQuantity: 1,
    description: '',
    netUnitAmount: null,
    vatRatePercentage: defaultVatRate(vatRegistered),
  };
}

/** The lines of a template or an invoice as those of another invoice: without the ids, which are their own. */
export function linesOf(lines: InvoiceTemplate['lines'] | Invoice['lines']): LineForm[] {
  return lines.map((line) => ({
    invoicedQuantity: line.invoicedQuantity,
    ...(line.unit !== undefined && { unit: line.unit }),
    description: line.description,
    netUnitAmount: line.netUnitAmount,
    vatRatePercentage: line.vatRatePercentage,
  }));
}
