import styles from './LoadingHeading.module.css';

/** The h1 of a screen that is not there yet: for who listens, the page is never without one. */
export function LoadingHeading() {
  return <h1 className={styles.heading}>Laster</h1>;
}
