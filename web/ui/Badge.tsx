import type { ReactNode } from 'react';

import styles from './Badge.module.css';

export type BadgeTone = 'gray' | 'green' | 'blue' | 'red' | 'purple' | 'amber';

export interface Label {
  readonly text: string;
  readonly tone: BadgeTone;
}

export function LabelBadge({ label: { text, tone } }: { label: Label }) {
  return <Badge tone={tone}>{text}</Badge>;
}

/** A status label. The colour only repeats the meaning of the text. */
export function Badge(props: { tone: BadgeTone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={props.tone}>
      {props.icon}
      {props.children}
    </span>
  );
}
