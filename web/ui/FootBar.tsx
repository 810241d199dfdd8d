import type { ReactNode } from 'react';

import styles from './FootBar.module.css';

interface FootBarProps {
  /** Names the bar where it is a part of its own. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** Stays in view at the window's lower edge: buttons, with what they act on. */
export function FootBar({ label, children }: FootBarProps) {
  return (
    <section className={`row between floating ${styles.bar}`} aria-label={label} data-foot>
      {children}
    </section>
  );
}

/** The buttons of a bar, on a phone in all its width. */
export function FootButtons({ children }: Pick<FootBarProps, 'children'>) {
  return <div className={`row gap-2 ${styles.buttons}`}>{children}</div>;
}
