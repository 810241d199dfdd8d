import type { ReactNode } from 'react';

import { showKroner } from '../lib/kroner.ts';
import styles from './MoneyList.module.css';

export function MoneyList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
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
    <li className={styles.item}>
      <div className={styles.head}>
        <p className={styles.title}>{title}</p>
        <p className={styles.amount}>{showKroner(amount)}</p>
      </div>
      <ul className={styles.facts}>
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
