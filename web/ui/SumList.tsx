import { classNames } from '../lib/class-names.ts';
import styles from './SumList.module.css';

interface Sum {
  readonly label: string;
  /** As it is shown, with its currency. */
  readonly amount: string;
  /** What the others lead to. */
  readonly strong?: boolean;
}

/** A few sums below a list, at its right. */
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
