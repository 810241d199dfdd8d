import { useFormContext, useWatch } from 'react-hook-form';

import type { InvoiceTotals } from '../../../domain/invoice/invoice.totals.ts';
import { formatOre } from '../../../domain/money.ts';
import { SumList } from '../../ui/SumList.tsx';
import type { FormWithLines } from './draft-lines.ts';
import { draftTotals } from './line-sums.ts';

interface InvoiceSumsProps {
  readonly totals: InvoiceTotals | null;
  readonly totalLabel?: string;
}

export function InvoiceSums({ totals, totalLabel = 'Å betale' }: InvoiceSumsProps) {
  return (
    <SumList
      sums={[
        { label: 'Sum uten mva.', amount: totals ? formatOre(totals.net) : '–' },
        ...(totals?.subtotals ?? []).map(({ vatRate, net, vat }) => ({
          label: `Mva. ${vatRate} % av ${formatOre(net)}`,
          amount: formatOre(vat),
        })),
        {
          label: totalLabel,
          amount: totals ? `${formatOre(totals.gross)} kr` : '–',
          isTotal: true,
        },
      ]}
    />
  );
}

/** The sums of the surrounding form, updated as the user types. */
export function FormSums({ name }: { name: keyof FormWithLines }) {
  const { control } = useFormContext<FormWithLines>();
  return <InvoiceSums totals={draftTotals(useWatch({ control, name }) ?? [])} />;
}
