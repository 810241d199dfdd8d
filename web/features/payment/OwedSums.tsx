import { formatSum } from '../../../domain/money.ts';
import type { ReactNode } from 'react';

import type { InvoicePage, ListedStatus } from '../../../domain/invoice/invoice-list.schema.ts';
import { countOf } from '../../lib/number-text.ts';
import { Skeleton } from '../../ui/Surface.tsx';
import styles from './OwedSums.module.css';

export type Owed = Pick<
  InvoicePage['summary'],
  'outstanding' | 'outstandingAmount' | 'overdue' | 'overdueAmount'
>;

interface OwedSumsProps {
  readonly summary: Owed | undefined;
  readonly onStatus?: ((status: ListedStatus) => void) | undefined;
  /** Further sums. */
  readonly children?: ReactNode;
}

export function OwedSums({ summary, onStatus, children }: OwedSumsProps) {
  return (
    <dl className={`row ${styles.sums}`}>
      <Sum
        label="Utestående"
        amount={summary?.outstandingAmount}
        count={summary?.outstanding}
        onShow={() => onStatus?.('OUTSTANDING')}
      />
      <Sum
        label="Forfalt"
        amount={summary?.overdueAmount}
        count={summary?.overdue}
        onShow={() => onStatus?.('OVERDUE')}
        isLate
      />
      {children}
    </dl>
  );
}

interface SumProps {
  readonly label: string;
  /** Kroner. */
  readonly amount: number | undefined;
  readonly count: number | undefined;
  readonly onShow: () => void;
  readonly isLate?: boolean;
}

function Sum({ label, amount, count, onShow, isLate = false }: SumProps) {
  return (
    <div className={styles.sum}>
      <dt className="note">{label}</dt>
      <dd
        className={`numeric figure toned ${styles.amount}`}
        data-tone={isLate && (count ?? 0) > 0 ? 'red' : undefined}
      >
        {amount === undefined ? <Skeleton width="112px" /> : `${formatSum(amount)} kr`}
      </dd>
      <dd className="aside numeric">
        {count === undefined ? (
          <Skeleton width="80px" />
        ) : count === 0 ? (
          'Ingen fakturaer'
        ) : (
          <button type="button" className={`link ${styles.show}`} onClick={onShow}>
            <span className="visually-hidden">Vis {label.toLowerCase()}: </span>
            {countOf(count, 'faktura', 'fakturaer')}
          </button>
        )}
      </dd>
    </div>
  );
}
