import { Skeleton } from './Surface.tsx';
import styles from './PageSkeleton.module.css';

/** A placeholder for a loading screen: a heading and a card, like nearly every screen. */
export function PageSkeleton() {
  return (
    <div className={`stack gap-6 ${styles.page}`} aria-busy="true">
      <LoadingHeading />
      <Skeleton width="220px" height="2.25rem" />
      <Skeleton height="320px" />
    </div>
  );
}

/** The h1 while a screen loads, so that screen readers always find one. */
export function LoadingHeading() {
  return <h1 className="visually-hidden">Laster</h1>;
}
