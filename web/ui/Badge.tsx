import type { ReactNode } from 'react';

import styles from './Badge.module.css';

export type BadgeTone = 'gray' | 'green' | 'blue' | 'red' | 'purple' | 'amber';

/** A status label. The colour only repeats the meaning of the text. */
export function Badge(props: { tone: BadgeTone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={props.tone}>
      {props.icon}
      {props.children}
    </span>
  );
}
