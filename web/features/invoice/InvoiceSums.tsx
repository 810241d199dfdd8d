import type { InvoiceTotals, VatSubtotal } from '../../../domain/invoice/invoice.totals.ts';
import { treatmentOf } from '../../../domain/vat-treatment.ts';
import { formatOre } from '../../../domain/money.ts';
import { SumList, type Sum } from '../../ui/SumList.tsx';

interface InvoiceSumsProps {
  readonly totals: InvoiceTotals | null;
  readonly totalLabel?: string;
  /** Rows below the total: deductions from it, and the rest. */
  readonly after?: readonly Sum[];
}

export function InvoiceSums({ totals, totalLabel = 'Å betale', after }: InvoiceSumsProps) {
  return (
    <SumList
      sums={[
        ...(isUntaxed(totals)
          ? []
          : [
              { label: 'Sum uten mva.', amount: totals ? formatOre(totals.net) : '–' },
              ...vatSums(totals),
            ]),
        {
          label: totalLabel,
          amount: totals ? `${formatOre(totals.gross)} kr` : '–',
          isTotal: true,
        },
        ...(after ?? []),
      ]}
    />
  );
}

/** Whether nothing is to be said about VAT, as on the document of a seller outside of the VAT register (VAT-13). */
function isUntaxed(totals: InvoiceTotals | null): boolean {
  const { subtotals = [] } = totals ?? {};
  return (
    subtotals.length > 0 &&
    subtotals.every(
      ({ vatRate, vatTreatment }) =>
        vatRate === 0 && (vatTreatment === null || vatTreatment === 'NOT_REGISTERED'),
    )
  );
}

function vatSums(totals: InvoiceTotals | null): Sum[] {
  if (totals === null) return [];
  const { subtotals, vat } = totals;
  if (subtotals.length === 0 && vat !== 0) return [{ label: 'Mva.', amount: formatOre(vat) }];
  return subtotals.map((part) => ({
    label: `${vatLabel(part)} av ${formatOre(part.net)}`,
    amount: formatOre(part.vat),
  }));
}

/** 'Mva. 25 %', 'Mva. 0 % utførsel', 'Ingen mva'. */
function vatLabel({ vatRate, vatTreatment }: VatSubtotal): string {
  if (vatTreatment === null || vatRate > 0) return `Mva. ${vatRate} %`;
  const { label } = treatmentOf(vatTreatment);
  return vatTreatment === 'NOT_REGISTERED' ? label : `Mva. ${label}`;
}
