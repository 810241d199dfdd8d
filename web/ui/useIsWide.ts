import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window has at least this width (CSS), also after it changed. */
export function useIsWide(width: string): boolean {
  const query = `(min-width: ${width})`;
  const onWidth = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(onWidth, () => window.matchMedia(query).matches);
}
