import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { settingsQuery } from '../api/settings.queries.ts';
import { paths } from '../paths.ts';
import styles from './Footer.module.css';

export function Footer() {
  const { data } = useQuery(settingsQuery);
  return (
    <footer className={styles.footer}>
      <div className={styles.bar}>
        <p className={styles.support}>
          {data ? (
            <>
              Trenger du hjelp? <a href={`mailto:${data.supportEmail}`}>{data.supportEmail}</a>
            </>
          ) : null}
        </p>
        <Link to={paths.privacy}>Personvern</Link>
      </div>
    </footer>
  );
}
