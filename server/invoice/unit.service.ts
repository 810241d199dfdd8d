import type { LineForm } from '../../domain/invoice/invoice-line.schema.ts';
import { toInvoiceLine, type InvoiceLine } from '../../domain/invoice/invoice.totals.ts';
import { AppError } from '../errors.ts';
import { UNIT_CODES } from './unit-codes.ts';

/**
 * The lines of a form, where `field` names them. While `units` is off, forms have no units: a line then keeps the
 * unit of the line in `before` with the same description. @throws AppError unknown_unit
 */
export function readLines(
  forms: readonly LineForm[],
  field: 'invoiceLines' | 'lines',
  before: readonly InvoiceLine[] = [],
): InvoiceLine[] {
  const unclaimed = [...before];
  return forms.map((form, index) => {
    requireKnown(form.unit, `${field}[${index}].unit`);
    const line = toInvoiceLine(form);
    if (form.unit !== undefined) return line;
    const place = unclaimed.findIndex(({ description }) => description === line.description);
    const [old] = place < 0 ? [] : unclaimed.splice(place, 1);
    return { ...line, unit: old?.unit ?? null };
  });
}

function requireKnown(unit: string | undefined, field: string): void {
  if (unit === undefined || UNIT_CODES.has(unit)) return;
  throw new AppError('unknown_unit', { field, subject: unit });
}
