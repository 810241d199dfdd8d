import type { ReactNode } from 'react';

import styles from './Badge.module.css';

export type BadgeTone = 'gray' | 'green' | 'blue' | 'red' | 'purple' | 'amber';

/** A word about a state. The colour repeats what the word says, never more. */
export function Badge(props: { tone: BadgeTone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={props.tone}>
      {props.icon}
      {props.children}
    </span>
  );
}
