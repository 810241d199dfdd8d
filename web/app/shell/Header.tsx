import { Link, NavLink, useLocation } from 'react-router';

import { isOn } from '../../../domain/api/endpoint.ts';
import { paths } from '../../lib/paths.ts';
import { useFeatures, useSession } from '../../features/session/session.api.ts';
import { LogoMark, PersonIcon } from '../../ui/icons.tsx';
import { CompanyCode } from './CompanyCode.tsx';
import { SCREENS } from '../routes.ts';

const FOR_USERS = SCREENS.filter((screen) => !screen.for);

export function Header() {
  const { session, status } = useSession();
  const features = useFeatures();
  const { pathname } = useLocation();
  // Assume a login on screens that require one until the session is known. Otherwise the login button would
  // flash and move the page at every visit.
  const expected = status === 'unknown' && FOR_USERS.some(({ path }) => pathname.startsWith(path));
  const loggedIn = expected || Boolean(session?.email);
  const shown = new Set(loggedIn ? features : []);
  const links = FOR_USERS.filter((screen) => screen.menu && isOn(screen, shown));
  return (
    <header className="site-header">
      <div className="site-bar" data-logged-in={loggedIn}>
        <Link
          to={loggedIn ? paths.invoices : paths.landing}
          reloadDocument={!loggedIn}
          className="site-brand"
        >
          <LogoMark />
          Faktur
        </Link>
        <nav aria-label="Hovedmeny" className="site-nav">
          {links.map((link) => (
            <NavLink key={link.path} to={link.path} className="site-link">
              {link.menu}
            </NavLink>
          ))}
        </nav>
        <div className="site-account">
          {session?.company && (session.companies?.length ?? 0) > 1 ? (
            <CompanyCode show="CompanySwitcher" session={session} />
          ) : null}
          <NavLink
            to={paths.profile}
            aria-label="Profil"
            title="Profil"
            className="round site-profile"
          >
            <PersonIcon />
          </NavLink>
          {loggedIn ? null : (
            <Link to={paths.login} className="site-login">
              Logg inn
            </Link>
          )}
        </div>
      </div>
    </header>
  );
}
