import styles from './LoadingHeading.module.css';

/** The h1 of a screen that is not loaded yet, so that screen readers always find one. */
export function LoadingHeading() {
  return <h1 className={styles.heading}>Laster</h1>;
}
