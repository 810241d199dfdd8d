import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

import { hasStatus } from '../lib/api-error.ts';
import { classNames } from '../lib/class-names.ts';
import { paths } from '../lib/paths.ts';
import { ButtonLink } from './Button.tsx';
import styles from './Page.module.css';
import { Fetched } from './Surface.tsx';

/**
 * The router's key of the page that the browser loaded. The history keeps it over a reload, so it is
 * 'default' only on a first visit.
 */
const { key: FIRST_PAGE = 'default' } = (
  typeof window === 'undefined' ? {} : (window.history.state ?? {})
) as { key?: string };

interface PageProps {
  /** The h1, and the first part of the tab's title. */
  readonly heading: string;
  /** The first part of the tab's title, when it differs from the heading. */
  readonly title?: string;
  /** Beside the heading: a badge or a count. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  /** The most used action: beside the other actions, and on a phone at the lower edge. */
  readonly mainAction?: ReactNode;
  /** Actions before the others; on a phone small, in a row below. */
  readonly furtherActions?: ReactNode;
  /** Reduces the spacing on a phone. */
  readonly dense?: boolean;
  readonly width?: 'full' | 'reading' | 'form';
  readonly children: ReactNode;
}

/** A screen with title, heading, actions and content. The heading takes the focus after a navigation. */
export function Page(props: PageProps) {
  const { heading, aside, actions, mainAction, furtherActions, width = 'full', children } = props;
  return (
    <div className={classNames('stack', styles.page, styles[width], props.dense && styles.dense)}>
      <title>{`${props.title ?? heading} – Faktur`}</title>
      <div className={`row between ${styles.head}`}>
        <div className={`row ${styles.titles}`}>
          <PageHeading>{heading}</PageHeading>
          {aside}
        </div>
        {mainAction ? (
          <div className={`row gap-2 ${styles.buttons}`}>
            <div className={`row gap-2 ${styles.actions}`}>{actions}</div>
            <div className={styles.main}>{mainAction}</div>
          </div>
        ) : actions ? (
          <div className={`row gap-2 ${styles.actions}`}>
            {furtherActions ? <div className={styles.further}>{furtherActions}</div> : null}
            {actions}
          </div>
        ) : null}
      </div>
      {children}
    </div>
  );
}

/** The h1. It takes the focus after a navigation, so that screen readers announce the new screen. */
export function PageHeading({ children, className }: { children: ReactNode; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const kind = useNavigationType();
  useEffect(() => {
    if (key === FIRST_PAGE) return;
    // A new screen starts at the top. After the back button the browser restores the position.
    if (kind !== 'POP') window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [key, kind]);
  return (
    <h1 ref={heading} tabIndex={-1} className={classNames(styles.heading, className)}>
      {children}
    </h1>
  );
}

/** Shown for an unknown address, and for a record that does not exist or belongs to another account. */
export function NotFound() {
  return (
    <div className="stack gap-4 lost">
      <title>404 - Finner ikke siden – Faktur</title>
      <PageHeading>404 - Finner ikke siden</PageHeading>
      <p className="soft">Adressen kan være feil, eller det du leter etter, er slettet.</p>
      <ButtonLink to={paths.invoices} variant="primary">
        Tilbake
      </ButtonLink>
    </div>
  );
}

interface RecordPageProps<T> extends Omit<ComponentProps<typeof Page>, 'children'> {
  readonly query: ComponentProps<typeof Fetched<T>>['query'] & { readonly error: Error | null };
  /** As of `Fetched`. */
  readonly pending?: ReactNode;
  readonly children: (record: T) => ReactNode;
}

/** The screen of one record; the page for unknown addresses when there is none. */
export function RecordPage<T>({ query, pending, children, ...page }: RecordPageProps<T>) {
  if (hasStatus(query.error, 404)) return <NotFound />;
  return (
    <Page {...page}>
      <Fetched query={query} pending={pending}>
        {children}
      </Fetched>
    </Page>
  );
}
