import type { ReactNode } from 'react';

import styles from './SumList.module.css';

export interface Sum {
  readonly label: string;
  /** The formatted amount, with currency. */
  readonly amount: ReactNode;
  readonly strong?: boolean;
  /** The sum of those above it, below a line. */
  readonly isTotal?: boolean;
}

export function SumList({ sums, className }: { sums: readonly Sum[]; className?: string }) {
  return (
    <div className={className}>
      <dl className={`numeric ${styles.list}`}>
        {sums.map(({ label, amount, strong, isTotal }) => (
          <div
            key={label}
            className={`row soft ${styles.sum}`}
            data-strong={strong}
            data-total={isTotal}
          >
            <dt>{label}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
