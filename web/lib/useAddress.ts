import { useEffect } from 'react';
import { useLocation } from 'react-router';

/**
 * Keeps a list's filters and page in the address, so that they survive a reload and the back button. Replaces
 * the address without a navigation, which would focus the heading. Empty values and page 1 are left out.
 */
export function useAddress(values: Readonly<Record<string, string | number | undefined>>): void {
  const { pathname } = useLocation();
  const kept = Object.entries(values).filter(([, value]) => value && value !== 1);
  const search = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  useEffect(() => {
    // The address may already belong to the next screen.
    if (window.location.pathname !== pathname) return;
    const address = search === '' ? pathname : `${pathname}?${search}`;
    window.history.replaceState(window.history.state, '', address);
  }, [pathname, search]);
}

/** The page number in an address; 1 by default. */
export function pageIn(search: URLSearchParams): number {
  const page = Number(search.get('page'));
  return Number.isSafeInteger(page) && page > 1 ? page : 1;
}
