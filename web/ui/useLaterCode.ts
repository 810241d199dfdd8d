import { useEffect, useEffectEvent, useState } from 'react';

import type { LaterCode } from '../lib/later-code.ts';
import { showToast } from '../lib/toasts.ts';

interface Need {
  /** Whether somebody waits for it: what failed before is then tried anew. */
  readonly isNeeded: boolean;
  /** What they cannot be shown without it, to begin a sentence: 'Dialogen'. */
  readonly what: string;
  /** They have been told that it failed, and no longer wait. */
  readonly onFailure?: () => void;
}

/** Nothing is missed without it. */
const UNASKED: Need = { isNeeded: false, what: '' };

/**
 * Code that a component fetches when it is first shown; undefined until it is there. Only who waits for it is told that
 * it could not be fetched.
 */
export function useLaterCode<Module>(
  code: LaterCode<Module>,
  need: Need = UNASKED,
): Module | undefined {
  const [loaded, setLoaded] = useState(() => code.loaded);
  const { isNeeded } = need;
  const isMissing = loaded === undefined;
  const giveUp = useEffectEvent((error: unknown) => {
    showToast({
      tone: 'error',
      title: `${need.what} kunne ikke vises`,
      description: 'Prøv igjen, eller last siden på nytt.',
    });
    window.reportError(error);
    need.onFailure?.();
  });
  useEffect(() => {
    if (!isMissing) return;
    code
      .load()
      .then((module) => setLoaded(() => module))
      .catch((error: unknown) => {
        if (isNeeded) giveUp(error);
      });
  }, [code, isMissing, isNeeded]);
  return loaded;
}
