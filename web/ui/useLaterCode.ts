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

/** The data of a screen and its first rendering take less (milliseconds). */
const AFTER_SCREEN = 1000;

/**
 * Loads code when a component is first shown; undefined until the code is loaded. What may be needed later waits until the
 * screen is there. A failure shows a toast only if the code is needed.
 */
export function useLaterCode<Module>(code: LaterCode<Module>, need?: Need): Module | undefined {
  const [loaded, setLoaded] = useState(() => code.loaded);
  const isMissing = loaded === undefined;
  const delay = need && !need.isNeeded ? AFTER_SCREEN : 0;
  const giveUp = useEffectEvent((error: unknown) => {
    if (!need?.isNeeded) return;
    showToast({
      tone: 'error',
      title: `${need.what} kunne ikke vises`,
      description: 'Prøv igjen, eller last siden på nytt.',
    });
    window.reportError(error);
    need.onFailure?.();
  });
  useEffect(() => {
    const load = () => void code.load().then((module) => setLoaded(() => module), giveUp);
    const timer = isMissing ? setTimeout(load, delay) : undefined;
    return () => clearTimeout(timer);
  }, [code, isMissing, delay]);
  return loaded;
}
