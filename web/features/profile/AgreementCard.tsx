import type { ReactNode } from 'react';

import styles from './Agreements.module.css';

interface AgreementCardProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly badge: ReactNode;
  readonly text: string;
  readonly action: ReactNode;
}

/** An agreement that a company can have, and the action to get it. */
export function AgreementCard({ icon, title, badge, text, action }: AgreementCardProps) {
  return (
    <section className={styles.card}>
      <div className={styles.head}>
        {icon}
        <h2 className={styles.title}>{title}</h2>
        {badge}
      </div>
      <p>{text}</p>
      {action}
    </section>
  );
}
