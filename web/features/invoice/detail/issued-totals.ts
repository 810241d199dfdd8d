import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTotals } from '../../../../domain/invoice/invoice.totals.ts';
import { kronerToOre, ore } from '../../../../domain/money.ts';
import { draftTotals } from '../line-sums.ts';

/**
 * The sums of an invoice. A credit note that empties its invoice takes the øre that are left of the VAT (CRE-6), so its
 * VAT may differ from what its lines make; of several treatments it is then shown in one sum.
 */
export function issuedTotals(
  invoice: Pick<Invoice, 'kind' | 'lines' | 'vatAmount'>,
): InvoiceTotals | null {
  const totals = draftTotals(invoice.lines);
  if (totals === null || invoice.kind === 'INVOICE') return totals;
  const vat = kronerToOre(invoice.vatAmount);
  if (totals.vat === vat) return totals;
  const [part, ...others] = totals.subtotals;
  const subtotals = part && others.length === 0 ? [{ ...part, vat }] : [];
  return { net: totals.net, vat, gross: ore(totals.net + vat), subtotals };
}
