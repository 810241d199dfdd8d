import type { ReactNode } from 'react';

import { showKroner } from '../lib/number-text.ts';
import styles from './MoneyList.module.css';

export function MoneyList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="divided" aria-label={label}>
      {children}
    </ul>
  );
}

interface MoneyItemProps {
  /** The payer or the purpose. */
  readonly title: ReactNode;
  /** Kroner. */
  readonly amount: number;
  /** Facts below the title, by key. Null and '' are left out. */
  readonly facts: Readonly<Record<string, ReactNode>>;
  readonly children?: ReactNode;
}

export function MoneyItem({ title, amount, facts, children }: MoneyItemProps) {
  return (
    <li className={`stack gap-1 ${styles.item}`}>
      <div className={`strong ${styles.head}`}>
        <p>{title}</p>
        <p className="numeric">{showKroner(amount)}</p>
      </div>
      <ul className={`row aside numeric ${styles.facts}`}>
        {Object.entries(facts)
          .filter(([, fact]) => fact !== null && fact !== '')
          .map(([name, fact]) => (
            <li key={name}>{fact}</li>
          ))}
      </ul>
      {children}
    </li>
  );
}
