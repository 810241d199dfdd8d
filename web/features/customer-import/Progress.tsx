import styles from './Import.module.css';

interface ProgressProps {
  readonly label: string;
  /** How much of the list has been sent, from 0 to 1. */
  readonly share: number;
}

/** How far a list has come: sending it takes its time on a phone, and the rest a second or two. */
export function Progress({ label, share }: ProgressProps) {
  return (
    <div className={styles.progress}>
      <p>
        <span aria-live="polite">{label}</span>{' '}
        <span aria-hidden="true">{share < 1 ? `${Math.floor(share * 100)} %` : '…'}</span>
      </p>
      <progress
        className={styles.track}
        aria-label={label}
        // Without a value it shows that something is done, but not how much.
        {...(share < 1 ? { value: share } : {})}
      />
    </div>
  );
}
