import { useEffect } from 'react';
import { useLocation } from 'react-router';

/**
 * Keeps what a list shows in the address, so that it is shown again after going back or a reload. It does
 * not navigate, which would focus the heading. Empty values and a first page are left out.
 */
export function useAddress(values: Readonly<Record<string, string | number | undefined>>): void {
  const { pathname } = useLocation();
  const kept = Object.entries(values).filter(([, value]) => value && value !== 1);
  const search = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  useEffect(() => {
    // The address may already be the next screen's.
    if (window.location.pathname !== pathname) return;
    const address = search === '' ? pathname : `${pathname}?${search}`;
    window.history.replaceState(window.history.state, '', address);
  }, [pathname, search]);
}

/** The page that an address names, or the first. */
export function pageIn(search: URLSearchParams): number {
  const page = Number(search.get('page'));
  return Number.isSafeInteger(page) && page > 1 ? page : 1;
}
