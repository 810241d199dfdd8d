import type { ReactNode } from 'react';

import { PageHeading } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import styles from './AuthCard.module.css';

interface AuthCardProps {
  readonly heading: string;
  readonly intro: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

export function AuthCard({ heading, intro, children, footer }: AuthCardProps) {
  return (
    <div className={`stack ${styles.place}`}>
      <title>{`${heading} – Faktur`}</title>
      <Card className={styles.card}>
        <PageHeading className={styles.heading ?? ''}>{heading}</PageHeading>
        <div className="soft">{intro}</div>
        {children}
      </Card>
      {footer ? <p className={`soft ${styles.footer}`}>{footer}</p> : null}
    </div>
  );
}
