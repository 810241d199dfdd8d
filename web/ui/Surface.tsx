import { useId, type ReactNode } from 'react';

import styles from './Surface.module.css';
import { classNames } from '../lib/class-names.ts';

interface CardProps {
  readonly heading?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** Removes the padding, for a table that fills the card. */
  readonly flush?: boolean;
  readonly className?: string | undefined;
}

export function Card({ heading, aside, children, flush = false, className }: CardProps) {
  const id = useId();
  return (
    <section
      className={classNames(styles.card, flush && styles.flush, className)}
      {...(heading ? { 'aria-labelledby': id } : {})}
    >
      {heading ? (
        <div className={`row between ${styles.head}`}>
          <h2 id={id}>{heading}</h2>
          {aside}
        </div>
      ) : null}
      {children}
    </section>
  );
}

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={`stack gap-2 ${styles.empty}`}>
      <span className="round badge-icon">{icon}</span>
      <p className="figure">{title}</p>
      <p className={`soft ${styles.emptyText}`}>{children}</p>
      {action}
    </div>
  );
}

/** A grey bar with the size of the coming text, so that the layout does not move. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return (
    <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" data-loading />
  );
}
