import type { ReactNode } from 'react';

import { PageHeading } from '../../ui/Page.tsx';
import styles from './AuthCard.module.css';

interface AuthCardProps {
  readonly heading: string;
  readonly intro: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

export function AuthCard({ heading, intro, children, footer }: AuthCardProps) {
  return (
    <div className={styles.place}>
      <title>{`${heading} – Faktur`}</title>
      <div className={styles.card}>
        <PageHeading className={styles.heading ?? ''}>{heading}</PageHeading>
        <div className={styles.intro}>{intro}</div>
        {children}
      </div>
      {footer ? <p className={styles.footer}>{footer}</p> : null}
    </div>
  );
}
