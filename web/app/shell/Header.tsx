import { Link, NavLink, useLocation } from 'react-router';

import { isOn, type Feature } from '../../../domain/api/endpoint.ts';
import { paths } from '../../lib/paths.ts';
import { useFeatures, useSession } from '../../features/session/session.api.ts';
import { LogoMark, PersonIcon } from '../../ui/icons.tsx';

interface MenuLink {
  readonly to: string;
  readonly label: string;
  readonly feature?: Feature;
}

const LINKS: readonly MenuLink[] = [
  { to: paths.invoices, label: 'Fakturaer' },
  { to: paths.payments, label: 'Innbetalinger', feature: 'payments' },
  { to: paths.customers, label: 'Kunder' },
];
const INNER = [paths.invoices, paths.payments, paths.customers, paths.profile];

export function Header() {
  const { session, status } = useSession();
  const features = useFeatures();
  const { pathname } = useLocation();
  // Inner screens require a login, so assume one until the session is known. Otherwise the login button would
  // flash and move the page at every visit.
  const expected = status === 'unknown' && INNER.some((path) => pathname.startsWith(path));
  const loggedIn = expected || Boolean(session?.email);
  const shown = new Set(loggedIn ? features : []);
  const links = LINKS.filter((link) => isOn(link, shown));
  return (
    <header className="site-header">
      <div className="site-bar" data-logged-in={loggedIn} data-links={links.length}>
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
            <NavLink key={link.to} to={link.to} className="site-link">
              {link.label}
            </NavLink>
          ))}
        </nav>
        <div className="site-account">
          <NavLink to={paths.profile} aria-label="Profil" title="Profil" className="site-profile">
            <PersonIcon size={22} />
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
