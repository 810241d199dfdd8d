import type { UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';

import { classNames } from '../lib/class-names.ts';
import alertStyles from './Alert.module.css';
import { Button } from './Button.tsx';
import { CheckCircleIcon, InfoIcon, WarningIcon } from './icons.tsx';
import pageSkeletonStyles from './PageSkeleton.module.css';
import { Spinner } from './Spinner.tsx';
import styles from './Surface.module.css';

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

/** A tall placeholder, so that the footer does not move when the content arrives. */
export function Loading() {
  return (
    <div className="waiting">
      <Spinner size={32} label="Laster" />
    </div>
  );
}

interface FetchedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'isError'> & { readonly refetch: () => unknown };
  /** Shown until the data arrives; a spinner by default. */
  readonly pending?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** Shows a query's data, its failure or a placeholder. Existing data stays when a refetch fails. */
export function Fetched<T>({ query, pending, children }: FetchedProps<T>) {
  const { data, isError, refetch } = query;
  if (data !== undefined) return children(data);
  if (isError) return <LoadFailure onRetry={() => void refetch()} />;
  return pending ?? <Loading />;
}

/** A placeholder for a loading screen: a heading and a card, like nearly every screen. */
export function PageSkeleton() {
  return (
    <div className={`stack gap-6 ${pageSkeletonStyles.page}`} aria-busy="true">
      <LoadingHeading />
      <Skeleton width="220px" height="2.25rem" />
      <Skeleton height="320px" />
    </div>
  );
}

/** The h1 while a screen loads, so that screen readers always find one. */
export function LoadingHeading() {
  return <h1 className="visually-hidden">Laster</h1>;
}

interface AlertProps {
  readonly tone?: 'info' | 'warning' | 'error' | 'success';
  readonly title?: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Whether screen readers announce the notice. For notices that follow from an action. */
  readonly live?: boolean;
  /** Uses less space on a phone. */
  readonly compact?: boolean;
}

/** A notice on the page, shown as long as its reason lasts. */
export function Alert(props: AlertProps) {
  const { tone = 'info', title, children, action, live = false, compact = false } = props;
  const Icon = tone === 'success' ? CheckCircleIcon : tone === 'info' ? InfoIcon : WarningIcon;
  return (
    <div
      className={classNames('box row', alertStyles.alert, compact && alertStyles.compact)}
      data-tone={tone}
      {...(live ? { role: 'status' } : {})}
    >
      <Icon />
      <div className="grow">
        {title ? <p className="title">{title}</p> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {action}
    </div>
  );
}

/** Shown instead of content that could not be fetched. */
export function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Alert
      tone="error"
      live
      title="Innholdet kunne ikke hentes."
      action={<Button onClick={onRetry}>Prøv igjen</Button>}
    >
      Sjekk nettforbindelsen og prøv på nytt.
    </Alert>
  );
}
