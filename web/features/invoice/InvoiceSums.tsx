import { useFormContext, useWatch } from 'react-hook-form';

import type { InvoiceTotals } from '../../../domain/invoice/invoice.totals.ts';
import { formatOre } from '../../../domain/money.ts';
import type { FormWithLines } from './draft-lines.ts';
import { draftTotals } from './line-sums.ts';
import styles from './InvoiceSums.module.css';

interface InvoiceSumsProps {
  readonly totals: InvoiceTotals | null;
  readonly totalLabel?: string;
}

export function InvoiceSums({ totals, totalLabel = 'Å betale' }: InvoiceSumsProps) {
  return (
    <dl className={styles.sums}>
      <div className={styles.row}>
        <dt>Sum uten mva.</dt>
        <dd>{totals ? formatOre(totals.net) : '–'}</dd>
      </div>
      {totals?.subtotals.map((part) => (
        <div key={part.vatRate} className={styles.row}>
          <dt>
            Mva. {part.vatRate} % av {formatOre(part.net)}
          </dt>
          <dd>{formatOre(part.vat)}</dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>{totalLabel}</dt>
        <dd>{totals ? `${formatOre(totals.gross)} kr` : '–'}</dd>
      </div>
    </dl>
  );
}

/** The sums of the surrounding form, updated as the user types. */
export function FormSums({ name }: { name: keyof FormWithLines }) {
  const { control } = useFormContext<FormWithLines>();
  return <InvoiceSums totals={draftTotals(useWatch({ control, name }) ?? [])} />;
}
