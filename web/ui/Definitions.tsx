import type { ReactNode } from 'react';

import { classNames } from '../lib/class-names.ts';
import styles from './Definitions.module.css';

interface Definition {
  readonly term: string;
  readonly value: ReactNode;
  readonly numeric?: boolean;
  /** Full width on a phone. */
  readonly wide?: boolean;
  /** Large text, for the most important value. */
  readonly large?: boolean;
}

/** Terms and values in columns. A missing value is shown as a dash. */
export function Definitions({ items }: { items: readonly Definition[] }) {
  return (
    <div className={styles.list}>
      <dl className={styles.items}>
        {items.map(({ term, value, numeric, wide, large }) => (
          <div key={term} className={classNames(wide && styles.wide)}>
            <dt className="aside">{term}</dt>
            <dd className={classNames(numeric && 'numeric', large && styles.large)}>
              {value ?? '–'}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
