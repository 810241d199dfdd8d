import { Link } from 'react-router';

import { useSession } from '../../features/session/session.api.ts';
import { ChevronRightIcon } from '../../ui/icons.tsx';
import { crumbsOf } from '../crumbs.ts';
import styles from './Breadcrumbs.module.css';

/** The breadcrumbs of a screen, derived from its address. */
export function Breadcrumbs({ pathname }: { pathname: string }) {
  const { session } = useSession();
  const crumbs = crumbsOf(pathname, session?.features);
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label="Brødsmulesti" className={styles.trail}>
      <ol className={styles.list}>
        {crumbs.map((crumb, index) => {
          const last = index === crumbs.length - 1;
          return (
            <li key={crumb.path} className={styles.crumb}>
              {index > 0 ? <ChevronRightIcon size={14} /> : null}
              {last || !crumb.isScreen ? (
                <span className={styles.place} aria-current={last ? 'page' : undefined}>
                  {crumb.label}
                </span>
              ) : (
                <Link to={crumb.path} className={styles.place}>
                  {crumb.label}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
