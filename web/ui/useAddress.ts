import { useEffect } from 'react';
import { useLocation } from 'react-router';

/**
 * Keeps what a list shows in the address of its screen, so that whoever comes back, or loads the page
 * anew, is where they were. Not a navigation, which would take the focus to the heading. Empty values
 * and a first page are left out.
 */
export function useAddress(values: Readonly<Record<string, string | number | undefined>>): void {
  const { pathname } = useLocation();
  const kept = Object.entries(values).filter(([, value]) => value && value !== 1);
  const search = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  useEffect(() => {
    // The next screen may have its address already while this one is still here.
    if (window.location.pathname !== pathname) return;
    const address = search === '' ? pathname : `${pathname}?${search}`;
    window.history.replaceState(window.history.state, '', address);
  }, [pathname, search]);
}

/** The page that an address names; the first where it names none. */
export function pageIn(search: URLSearchParams): number {
  const page = Number(search.get('page'));
  return Number.isSafeInteger(page) && page > 1 ? page : 1;
}
