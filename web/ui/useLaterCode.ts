import { useEffect, useEffectEvent, useState } from 'react';

import type { LaterCode } from '../lib/later-code.ts';
import { showToast } from '../lib/toasts.ts';

interface Need {
  /** Whether the user waits for the code. When it becomes true, a failed load is tried again. */
  readonly isNeeded: boolean;
  /** The subject of the error message, such as 'Dialogen'. */
  readonly what: string;
  /** Called after the error message has been shown. */
  readonly onFailure?: () => void;
}

/** The default: a failed load shows no error. */
const NOT_NEEDED: Need = { isNeeded: false, what: '' };

/**
 * Loads code when a component is first shown; undefined until the code is loaded. A failure shows a toast only if
 * the code is needed.
 */
export function useLaterCode<Module>(
  code: LaterCode<Module>,
  need: Need = NOT_NEEDED,
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
