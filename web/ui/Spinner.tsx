import styles from './Spinner.module.css';

interface SpinnerProps {
  /** Width and height in pixels. */
  readonly size?: number;
  /** The accessible name; without it the spinner is hidden from screen readers. */
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
