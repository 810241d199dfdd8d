import { classNames } from '../lib/class-names.ts';
import styles from './SumList.module.css';

interface Sum {
  readonly label: string;
  /** The formatted amount, with currency. */
  readonly amount: string;
  readonly strong?: boolean;
}

export function SumList({ sums, className }: { sums: readonly Sum[]; className?: string }) {
  return (
    <dl className={classNames(styles.list, className)}>
      {sums.map(({ label, amount, strong }) => (
        <div key={label} className={styles.sum} data-strong={strong || undefined}>
          <dt>{label}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}
