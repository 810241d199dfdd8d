import styles from './Spinner.module.css';

interface SpinnerProps {
  /** In pixels. */
  readonly size?: number;
  /** What is being waited for; without it the spinner is decoration. */
  readonly label?: string;
}

export function Spinner({ size = 24, label }: SpinnerProps) {
  return (
    <span
      className={styles.spinner}
      style={{ width: size, height: size }}
      {...(label ? { role: 'status', 'aria-label': label } : { 'aria-hidden': true })}
    />
  );
}
