import { todayInOslo } from '../../../domain/date.ts';
import { defaultVatRate, type LineForm } from '../../../domain/invoice/invoice-line.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { vatRateOn, type VatTreatment } from '../../../domain/vat-treatment.ts';
import type { Profile } from '../../../domain/profile/profile.schema.ts';
import type { Draft } from '../../forms/Form.tsx';

export type DraftLine = Draft<LineForm>;

/** A form with lines, in a field of one of these names. */
export type FormWithLines = Partial<Record<'invoiceLines' | 'lines', DraftLine[]>>;

export type LinePath = `${keyof FormWithLines}.${number}`;

/** The VAT of a company's new lines. */
export interface CompanyVat {
  readonly isRegistered: boolean;
  /** The treatment of new lines; null while `vat` is off. */
  readonly treatment: VatTreatment | null;
}

export function vatOf(profile: Profile | undefined): CompanyVat {
  return {
    isRegistered: profile?.vatRegistered !== false,
    treatment: profile?.defaultVatTreatment ?? null,
  };
}

/** A new line: quantity 1, without description and price. */
export function emptyLine({ isRegistered, treatment }: CompanyVat): DraftLine {
  const line = { invoicedQuantity: 1, description: '', netUnitAmount: null };
  if (treatment === null) return { ...line, vatRatePercentage: defaultVatRate(isRegistered) };
  const vatRatePercentage = vatRateOn(treatment, todayInOslo());
  return { ...line, vatRatePercentage, vatTreatment: treatment };
}

/** Copies the lines of a template or an invoice without their ids. */
export function linesOf(lines: InvoiceTemplate['lines'] | Invoice['lines']): LineForm[] {
  return lines.map((line) => ({
    invoicedQuantity: line.invoicedQuantity,
    ...(line.unit !== undefined && { unit: line.unit }),
    description: line.description,
    netUnitAmount: line.netUnitAmount,
    vatRatePercentage: line.vatRatePercentage,
    ...(line.vatTreatment !== undefined && { vatTreatment: line.vatTreatment }),
    ...(line.productNumber !== undefined && { productNumber: line.productNumber }),
  }));
}
