import styles from './Loading.module.css';
import { Spinner } from './Spinner.tsx';

/** A placeholder, so that the footer does not jump. */
export function Loading() {
  return (
    <div className={styles.loading}>
      <Spinner size={32} label="Laster" />
    </div>
  );
}
