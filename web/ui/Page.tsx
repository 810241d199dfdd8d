import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation, useNavigationType } from 'react-router';

import styles from './Page.module.css';
import { classNames } from '../lib/class-names.ts';

/**
 * The router's key of the page that the browser itself loaded. It is kept in the history, so after
 * a reload it is not the one of a first visit.
 */
const { key: FIRST_PAGE = 'default' } = (
  typeof window === 'undefined' ? {} : (window.history.state ?? {})
) as { key?: string };

interface PageProps {
  /** The h1, and the first half of the tab's title. */
  readonly heading: string;
  /** The tab's title, where it must say more than the heading. */
  readonly title?: string;
  /** Beside the heading: a badge or a count. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  /** What a person most likely came for: beside the actions, and on a phone at the lower edge, near the thumb. */
  readonly mainAction?: ReactNode;
  /** After the actions; on a phone small, in a row below. */
  readonly furtherActions?: ReactNode;
  /** Leaves less room between things on a phone. */
  readonly dense?: boolean;
  readonly width?: 'full' | 'reading' | 'form';
  readonly children: ReactNode;
}

/** One screen: its title, its heading, which takes the focus on arrival, and what it shows. */
export function Page(props: PageProps) {
  const { heading, aside, actions, mainAction, furtherActions, width = 'full', children } = props;
  return (
    <div className={classNames(styles.page, styles[width], props.dense && styles.dense)}>
      <title>{`${props.title ?? heading} – Faktur`}</title>
      <div className={styles.head}>
        <div className={styles.titles}>
          <PageHeading>{heading}</PageHeading>
          {aside}
        </div>
        {mainAction ? (
          <div className={styles.buttons}>
            <div className={styles.actions}>{actions}</div>
            <div className={styles.main}>{mainAction}</div>
          </div>
        ) : actions ? (
          <div className={styles.actions}>
            {actions}
            {furtherActions ? <div className={styles.further}>{furtherActions}</div> : null}
          </div>
        ) : null}
      </div>
      {children}
    </div>
  );
}

/** The h1. It takes the focus after a navigation, as after a page load. */
export function PageHeading({ children, className }: { children: ReactNode; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const kind = useNavigationType();
  useEffect(() => {
    if (key === FIRST_PAGE) return;
    // A new screen starts at its top; when going back, the browser restores the position.
    if (kind !== 'POP') window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [key, kind]);
  return (
    <h1 ref={heading} tabIndex={-1} className={classNames(styles.heading, className)}>
      {children}
    </h1>
  );
}
