import { defaultVatRate, type LineForm } from '../../../domain/invoice/invoice-line.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import type { Draft } from '../../forms/Form.tsx';

export type DraftLine = Draft<LineForm>;

/** A form with lines, in a field of one of these names. */
export type FormWithLines = Partial<Record<'invoiceLines' | 'lines', DraftLine[]>>;

export type LinePath = `${keyof FormWithLines}.${number}`;

/** A new line: quantity 1, without description and price. */
export function emptyLine(vatRegistered: boolean): DraftLine {
  return {
    invoicedQuantity: 1,
    description: '',
    netUnitAmount: null,
    vatRatePercentage: defaultVatRate(vatRegistered),
  };
}

/** Copies the lines of a template or an invoice without their ids. */
export function linesOf(lines: InvoiceTemplate['lines'] | Invoice['lines']): LineForm[] {
  return lines.map((line) => ({
    invoicedQuantity: line.invoicedQuantity,
    ...(line.unit !== undefined && { unit: line.unit }),
    description: line.description,
    netUnitAmount: line.netUnitAmount,
    vatRatePercentage: line.vatRatePercentage,
  }));
}
