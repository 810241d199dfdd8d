import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { settingsQuery } from '../../features/session/session.api.ts';
import { paths } from '../../lib/paths.ts';

export function Footer() {
  const { data } = useQuery(settingsQuery);
  return (
    <footer className="site-footer">
      <div className="site-footer-bar">
        <p className="site-support">
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
