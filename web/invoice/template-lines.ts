import type { LineForm } from '../../domain/invoice/invoice-line.schema.ts';
import type { InvoiceTemplate } from '../../domain/invoice-template/invoice-template.schema.ts';

/** A template's lines as an invoice's: without the ids, which are the template's own. */
export function linesOfTemplate(template: InvoiceTemplate): LineForm[] {
  return template.lines.map((line) => ({
    invoicedQuantity: line.invoicedQuantity,
    description: line.description,
    netUnitAmount: line.netUnitAmount,
    // A stored rate was checked when it was saved; its type is only wider.
    vatRatePercentage: line.vatRatePercentage as LineForm['vatRatePercentage'],
  }));
}
